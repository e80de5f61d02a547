// Rules for every page of the route table: a way to sign out, nothing from other sites, no secret in an address.
import { beforeAll, describe, expect, test } from "vitest";
import { asDeployed } from "./support/as-deployed";
import { callAs } from "./support/ask";
import { makeUser, type TestUser } from "./support/factories";
import { filled, pageRoutes } from "./support/route-table";
import { type Visited, visit } from "./support/visit";

asDeployed();

describe("every page", () => {
  let user: TestUser;
  const pages = new Map<string, Visited>();
  beforeAll(async () => {
    user = await makeUser({ tokens: 10_000 });
    const made = async (path: string, body: unknown) => (await callAs(user, "POST", path, body)).body;
    const { goal } = await made("/api/goals/store", { challenge: { tasks: [{ title: "A goal" }] } });
    const { hut } = await made("/groups/store", { hut: { title: `A hut ${user.username}` } });
    const { challenge } = await made("/challenges", { challenge: { title: `An activity ${user.username}` } });
    const { challenge_event: session } = await made("/challenge-events", {
      challenge: { title: "A session", challenge_id: challenge.id, duration: 3600, is_manually_started: 1 },
    });
    const params = {
      goal: String(goal.id),
      hut: hut.slug,
      slug: challenge.slug,
      event: String(session.id),
      session: String(session.id),
      person: user.username,
      group: hut.slug,
      tab: "login",
    };
    for (const { path } of pageRoutes()) pages.set(path, await visit(user, filled(path, params)));
    expect([...pages.values()].filter(({ status }) => status === 200).length).toBeGreaterThan(40);
  });
  /** A stage fills its screen (J-08, J-10), a card is framed elsewhere (J-11), and the screen of a log has nothing else (W-03). */
  const WITHOUT_FRAME = new Set([
    "/sessions/:session/stage",
    "/series/:series/stage",
    "/sessions/view/stage",
    "/embed/sessions/:session",
    "/embed/series/:series",
    "/my/goals/:goal/log",
  ]);
  const framed = () => shown().filter(([path]) => !WITHOUT_FRAME.has(path));
  const shown = () => [...pages].filter(([, { html }]) => html.startsWith("<!DOCTYPE html>"));

  test("ASVS 7.4.4 offers to sign out", async () => {
    const without: string[] = [];
    for (const [path, page] of framed())
      if ((await page.all('header form[action="/auth/logout"][method="post"] button')).length === 0)
        without.push(path);
    expect(framed().length).toBeGreaterThan(40);
    expect(without).toEqual([]);
  });

  test("U-01 U-02 U-05 has the product's name, a link home, the footer's links, and says that it is in development", async () => {
    const visitor = await Promise.all(
      ["/", "/about", "/pricing", "/auth/login", "/no-such-page", "/no/such/page"].map(
        async (path) => [path, await visit(null, path)] as const,
      ),
    );
    for (const [path, page] of [...framed(), ...visitor]) {
      expect(await page.links("footer"), path).toMatchObject({
        About: "/about",
        "Terms of Service": "/terms-of-service",
        "Privacy Policy": "/privacy-policy",
      });
      expect((await page.texts("footer")).join(), path).toContain("Bothy is in development.");
      expect(await page.links("header"), path).toMatchObject({ Bothy: "/" });
      // Exactly once; and search engines must not index an error page.
      expect(page.html.match(/property="og:site_name"/g), path).toHaveLength(1);
      expect(page.html.match(/<title>/g), path).toHaveLength(1);
      // The scripts of the data are in the document, which is whole.
      expect(page.html, path).toMatch(/<\/body><\/html>$/);
      expect(page.html.match(/<\/html>/g), path).toHaveLength(1);
      if (page.status >= 400) expect(page.html, path).toContain('<meta name="robots" content="noindex"');
    }
    for (const [path, page] of visitor) {
      expect((await page.links("header")).Login, path).toMatch(/auth/);
      expect(await page.all('form[action="/auth/logout"]'), path).toEqual([]);
    }
    expect(visitor.filter(([, { status }]) => status === 404)).toHaveLength(2);
  });

  test("U-05 the account menu links to the profile, account, tokens and About", async () => {
    for (const [path, page] of framed()) {
      const links = await page.links("header");
      expect(links, path).toMatchObject({
        [user.username]: `/${user.username}`,
        "My Account": "/account",
        "My Tokens": "/account/tokens",
        About: "/about",
      });
      expect(links, path).not.toHaveProperty("Login");
    }
  });

  test("U-55 every required field has a star at its label", async () => {
    const wrong: string[] = [];
    const starred = new Set<string>();
    const visitor = ["/auth/register", "/auth/login"];
    const others = await Promise.all(visitor.map(async (path) => [path, await visit(null, path)] as const));
    for (const [path, page] of [...shown(), ...others]) {
      const labels = new Map(
        (await page.all("label[for]")).map(({ text, attributes }) => [attributes.for, text]),
      );
      for (const { attributes } of await page.all("main [required]")) {
        if (/^(checkbox|radio)$/.test(attributes.type ?? "")) continue;
        const label = labels.get(attributes.id ?? "") ?? attributes["aria-label"] ?? "";
        if (label.endsWith("*")) starred.add(path);
        else wrong.push(`${path}: ${attributes.name} ${label}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(starred.size).toBeGreaterThan(8);
    const [register] = others;
    const labels = (await register?.[1].texts("main label")) ?? [];
    for (const name of ["Username", "Email", "Confirm password"]) expect(labels).toContain(`${name} *`);
    expect(labels).toContain("First name");
  });

  test("ASVS 14.2.3 loads nothing from other sites and sends its forms to none", async () => {
    const foreign: string[] = [];
    for (const [path, page] of shown())
      for (const [selector, name] of [
        ["script[src]", "src"],
        ["link[href]", "href"],
        ["img[src]", "src"],
        ["iframe", "src"],
        ["form[action]", "action"],
        ["object, embed, audio, video", "src"],
      ] as const)
        for (const { attributes } of await page.all(selector)) {
          const address = attributes[name] ?? "";
          const isOwn =
            /^(\/(?!\/)|data:|#|\?|$)/.test(address) || address.startsWith("http://127.0.0.1:8787/");
          if (!isOwn) foreign.push(`${path}: ${selector} ${address}`);
        }
    expect(foreign).toEqual([]);
  });

  test("ASVS 14.2.1 names no login, token, password or code in an address, and posts secrets", async () => {
    const wrong: string[] = [];
    for (const [path, page] of shown()) {
      for (const { attributes } of await page.all("a[href], form[action]")) {
        const address = attributes.href ?? attributes.action ?? "";
        if (
          address.includes(user.loginToken) ||
          /[?&](token|password|code|join_code|session_id)=/i.test(address)
        )
          wrong.push(`${path}: ${address}`);
      }
      const inClear = await page.all('form:not([method="post"]) input[type="password"]');
      if (inClear.length > 0) wrong.push(`${path}: a password in a form that is not posted`);
      if (page.location?.includes(user.loginToken)) wrong.push(`${path}: ${page.location}`);
    }
    expect(wrong).toEqual([]);
  });

  test("ASVS 6.2.6 6.2.7 hides passwords while they are typed, and lets a password manager fill them", async () => {
    const visitor = ["/auth/login", "/auth/register", "/reset-password?token=x", "/"];
    const fields: [string, Record<string, string>][] = [];
    for (const path of visitor)
      for (const { attributes } of await (await visit(null, path)).all("input"))
        fields.push([path, attributes]);
    for (const [path, page] of shown())
      for (const { attributes } of await page.all("input")) fields.push([path, attributes]);
    const isPassword = ({ name = "", type }: Record<string, string>) =>
      /password/i.test(name) || type === "password";
    const found = fields.filter(([, attributes]) => isPassword(attributes));
    expect(new Set(found.map(([path]) => path)).size).toBeGreaterThanOrEqual(4);
    for (const [path, attributes] of found) {
      expect([path, attributes.type]).toEqual([path, "password"]);
      expect([path, attributes.autocomplete]).toEqual([
        path,
        expect.stringMatching(/^(current|new)-password$/),
      ]);
      expect([
        path,
        Object.keys(attributes).filter((name) => /^(on|maxlength|pattern|readonly)/.test(name)),
      ]).toEqual([path, []]);
    }
  });
});
