// R-58: a page writes only for the login and person that it was made for. Every call and every form is asked with the
// mark of another person's page.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { isMadeForPerson, markOf } from "~/use-cases/made-for.server";
import { MADE_FOR_FIELD, MADE_FOR_HEADER, MADE_FOR_PARAM } from "~/wire/made-for";
import { ask, callAs, ORIGIN } from "./support/ask";
import { everyCall } from "./support/every-call";
import { appOf, makeUser, type TestUser } from "./support/factories";
import { filled, pageRoutes } from "./support/route-table";
import { stageSession } from "./support/sessions";
import { post, visit } from "./support/visit";

let ada: TestUser;
let ben: TestUser;
let mark: string;
let sentence: string;
beforeAll(async () => {
  [ada, ben] = [await makeUser({ tokens: 10_000 }), await makeUser({ tokens: 10_000 })];
  mark = markOf((await appOf(ada)).user) ?? "";
  sentence = `You are signed in as ${ben.username} now.`;
});

/** The number of rows of every table. */
async function countRows(): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  ).all<{ name: string }>();
  const counts = await env.DB.batch<{ n: number }>(
    results.map(({ name }) => env.DB.prepare(`SELECT count(*) AS n FROM "${name}"`)),
  );
  return Object.fromEntries(results.map(({ name }, at) => [name, counts[at]?.results[0]?.n ?? 0]));
}

describe("R-58 a write of a page that was made for somebody else", () => {
  const writes = Object.entries(everyCall).filter(([, { method }]) => method !== "GET");

  test("R-58 is refused by every JSON call, and changes nothing", async () => {
    const before = await countRows();
    const wrong: string[] = [];
    for (const [name, { method, path }] of writes) {
      const address = path.replace(/\{\w+\}/g, "1");
      const { status, body } = await callAs(ben, method, address, {}, { [MADE_FOR_HEADER]: mark });
      if (status !== 409 || body.error_code !== "CONFLICT" || body.message !== sentence)
        wrong.push(`${name}: ${status} ${JSON.stringify(body)}`);
    }
    expect(writes.length).toBeGreaterThan(90);
    expect(wrong).toEqual([]);
    expect(await countRows()).toEqual(before);
  });

  test("R-58 is refused by every form, and changes nothing", async () => {
    const before = await countRows();
    // Choosing a theme belongs to the browser.
    const takers = (await pageRoutes()).filter(
      ({ path, module }) => module.action !== undefined && path !== "/account/theme",
    );
    const wrong: string[] = [];
    for (const { path } of takers) {
      const answer = await ask(`${filled(path, { tab: "login" })}.data`, {
        method: "POST",
        headers: { Cookie: `login=${ben.loginToken}`, Origin: ORIGIN },
        body: new URLSearchParams({ [MADE_FOR_FIELD]: mark, intent: "create", stay: "1", title: "Mine" }),
      });
      const said = await answer.text();
      if (answer.status !== 409 || !said.includes(sentence)) wrong.push(`${path}: ${answer.status}`);
    }
    expect(takers.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
    expect(await countRows()).toEqual(before);
  });

  test("R-58 is refused by an upload", async () => {
    const form = new FormData();
    form.set("file", new File([new Uint8Array(10)], "a.png", { type: "image/png" }));
    const answer = await ask("/posts/text/uploads", {
      method: "POST",
      headers: { Cookie: `login=${ben.loginToken}`, Origin: ORIGIN, [MADE_FOR_HEADER]: mark },
      body: form,
    });
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([409, sentence]);
  });

  test("R-58 is refused by the room's socket, also beside the ticket of that page", async () => {
    const { host, guest, session } = await stageSession();
    const [ticket] = /"ticket","([\w.-]+)"/.exec((await visit(host, session.path)).html)?.slice(1) ?? [];
    const open = (user: TestUser, ofPage: string | null, protocols: string) =>
      ask(
        `/sessions/${session.id}/socket?join=${user.username}${ofPage ? `&${MADE_FOR_PARAM}=${ofPage}` : ""}`,
        {
          headers: {
            Upgrade: "websocket",
            Cookie: `login=${user.loginToken}`,
            Origin: ORIGIN,
            "Sec-WebSocket-Protocol": protocols,
          },
        },
      );
    const ofHost = markOf((await appOf(host)).user);
    expect((await open(guest, ofHost, `bothy, ${ticket}`)).status).toBe(409);
    expect((await open(guest, markOf((await appOf(guest)).user), "bothy")).status).toBe(101);
    expect((await open(guest, null, "bothy")).status).toBe(101);
  });
});

test("R-58 without JavaScript the sentence comes with the form and what was typed", async () => {
  const page = await visit(ada, "/my/notes?create=1");
  expect(
    (await page.all(`form input[name="${MADE_FOR_FIELD}"]`))[0]?.attributes.value?.split(".").slice(0, 2),
  ).toEqual(mark.split("."));
  const refused = await post(ben, "/my/notes?create=1", {
    intent: "note.create",
    content: "A thought of mine",
    [MADE_FOR_FIELD]: mark,
  });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain(sentence);
  expect(refused.html).toContain("A thought of mine");
  expect((await visit(ben, "/my/notes")).html).not.toContain("A thought of mine");
});

test("R-58 a page writes for the login that it was made for, and so does a request without a mark", async () => {
  const said = (headers: Record<string, string>) =>
    callAs(ada, "POST", "/api/users/read-new-message", { message_key: "free_tokens" }, headers);
  expect((await said({ [MADE_FOR_HEADER]: mark })).status).toBeLessThan(300);
  expect((await said({})).status).toBeLessThan(300);
});

test("R-58 another login of the same person, and another person of the same login, are others", async () => {
  const app = await appOf(ada);
  const { user } = app;
  expect(user && markOf({ ...user, personId: user.personId + 1 })).not.toBe(mark);
  expect(user && markOf({ ...user, loginHash: "another" })).not.toBe(mark);
  // Its second half names the person of any login, only to a sign-in.
  expect(mark).toMatch(/^[\w-]{22}\.[\w-]{16}$/);
  const ofLogin = { ...user, loginHash: "another" } as NonNullable<typeof user>;
  expect(markOf(ofLogin)?.split(".")[1]).toBe(mark.split(".")[1]);
  expect(isMadeForPerson(ofLogin, mark)).toBe(true);
  expect(isMadeForPerson({ ...ofLogin, personId: ofLogin.personId + 1 }, mark)).toBe(false);
  expect(mark).not.toContain(ada.username);
});

const sources = import.meta.glob<string>(["../app/**/*.tsx", "!../app/**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("R-58 every form that posts has the field, but for the choice of a theme", () => {
  const without = Object.entries(sources).filter(
    ([path, source]) =>
      (source.match(/method="post"/g)?.length ?? 0) > (source.match(/<MadeFor \/>/g)?.length ?? 0) &&
      !path.endsWith("/theme-choice.tsx"),
  );
  expect(without.map(([path]) => path)).toEqual([]);
  expect(Object.values(sources).filter((source) => source.includes("<MadeFor />")).length).toBeGreaterThan(8);
});
