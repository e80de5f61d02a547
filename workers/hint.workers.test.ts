// The hint cookie: a signed-in page asks D1 for its rows while the login is looked up, and nobody can see a wrong hint.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { PASSWORD, registered } from "#tests/support/accounts";
import { ask, askSecurely, callAs, ORIGIN } from "#tests/support/ask";
import { makeUser, NOW, type TestUser } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { makeSession } from "#tests/support/sessions";
import { type Between, wrappedD1 } from "#tests/support/wrapped-d1";
import { hashToken } from "~/use-cases/logins.server";

const db = connect(env.DB);
const textOf = (statement: D1PreparedStatement) => (statement as unknown as { statement: string }).statement;
const isLookup = (statement: D1PreparedStatement) =>
  textOf(statement).includes('from "logins" inner join "users"');

/** Puts `between` around every D1 session of the worker. */
function around(between: Between): void {
  const proto = Object.getPrototypeOf(env.DB) as D1Database;
  const { withSession } = proto;
  vi.spyOn(proto, "withSession").mockImplementation(function (this: D1Database, mark) {
    const session = withSession.call(this, mark as string);
    return wrappedD1(session as unknown as D1Database, between) as unknown as D1DatabaseSession;
  });
}
afterEach(() => vi.restoreAllMocks());

/** A lookup of its own is answered only after the page's rows. Returns what D1 is asked, in order. */
function asked(): string[] {
  const order: string[] = [];
  let go = () => {};
  const happened = new Promise<void>((resolve) => {
    go = resolve;
  });
  const readPage = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    order.push(name);
    const rows = await run();
    go();
    return rows;
  };
  around({
    one: async (statement, _, run) => {
      if (!isLookup(statement)) return readPage("rows", run);
      order.push("lookup");
      await happened;
      return run();
    },
    batch: (_, run, statements) => readPage(statements.some(isLookup) ? "lookup and rows" : "rows", run),
  });
  return order;
}

const setCookie = (headers: Headers, name = "hint") =>
  headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
const cookieValue = (line: string | undefined) => /^[^=]+=([^;]*)/.exec(line ?? "")?.[1] ?? "";
const page = (path: string, cookies: Record<string, string>, init: RequestInit = {}) =>
  ask(path, {
    redirect: "manual",
    ...init,
    headers: {
      Accept: "text/html",
      Cookie: Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join("; "),
      ...init.headers,
    },
  });

/** The cookies of a browser in which `user` has seen a page. */
async function browserOf(user: TestUser): Promise<{ login: string; hint: string }> {
  const login = user.loginToken;
  const answer = await page("/about", { login });
  await answer.text();
  const hint = cookieValue(setCookie(answer.headers));
  expect(hint).not.toBe("");
  return { login, hint };
}

test("D2 a signed-in page asks for its rows and its login at once: one round trip", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user);
  const browser = await browserOf(user);
  const paths = ["/", "/events", "/my/goals", "/my/logs.data", "/tokens", `/sessions/${id}`, "/api/my/notes"];
  for (const path of paths) {
    const order = asked();
    const answer = await page(path, browser);
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.text();
    // A page of a single statement asks for both side by side.
    const isSingle = path === "/my/logs.data" || path === "/api/my/notes";
    expect(order, path).toEqual(isSingle ? ["rows", "lookup"] : ["lookup and rows"]);
    // The hint was right, so that it stays.
    expect(setCookie(answer.headers), path).toBeUndefined();
    vi.restoreAllMocks();
  }
});

test("D2 a small encrypted cookie that scripts cannot read holds the hint, and no answer that others may share", async () => {
  const { user, input } = await registered({ first_name: "A".repeat(50), last_name: "B".repeat(50) });
  const answer = await page("/my/goals", { login: user.loginToken });
  const line = setCookie(answer.headers) ?? "";
  expect(line).toMatch(/^hint=[\w-]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(line.length).toBeLessThan(1000);
  const decoded = atob(cookieValue(line).replace(/-/g, "+").replace(/_/g, "/"));
  expect(decoded).not.toContain(input.email);
  for (const path of ["/robots.txt", "/site.webmanifest", "/sitemap.xml"]) {
    const shared = await page(path, { login: user.loginToken });
    expect([path, shared.headers.get("Cache-Control")?.includes("public")]).toEqual([path, true]);
    expect(setCookie(shared.headers), path).toBeUndefined();
  }
  // A deployed server without DATA_KEY has none.
  const secure = await askSecurely("/my/goals", { headers: { Cookie: `__Host-login=${user.loginToken}` } });
  expect(secure.headers.getSetCookie().join()).not.toContain("hint=");
});

/** All that a browser gets, apart from random marks and times. */
async function seen(answer: Response): Promise<unknown[]> {
  const text = (await answer.text())
    .replace(/nonce="[^"]*"/g, "")
    .replace(/nonce-[\w-]+/g, "")
    .replace(/\b1\d{12}\b/g, "now")
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "uuid");
  return [answer.status, answer.headers.get("Location"), answer.headers.get("Cache-Control"), text];
}
const users = schema.users;
const CHANGES: Record<string, (user: TestUser) => Promise<unknown>> = {
  "an ended login": async ({ loginToken }) =>
    db.delete(schema.logins).where(eq(schema.logins.tokenHash, await hashToken(loginToken))),
  "a sign-out": ({ loginToken }) =>
    callAs({ loginToken } as TestUser, "POST", "/logout").then(({ status }) =>
      expect(status).toBeLessThan(300),
    ),
  "a super admin who is none any more": ({ id }) =>
    db.update(users).set({ roleId: 1 }).where(eq(users.id, id)),
  "a suspension": ({ id }) =>
    db.insert(schema.sanctions).values({
      scope: "site",
      targetId: 0,
      userId: id,
      kind: "ban",
      until: null,
      reason: "spam",
      createdAt: NOW,
    }),
  "another name": ({ id }) => db.update(users).set({ firstName: "Grace" }).where(eq(users.id, id)),
  "an old check": async ({ loginToken }) =>
    db
      .update(schema.logins)
      .set({ checkedAt: 1 as never })
      .where(eq(schema.logins.tokenHash, await hashToken(loginToken))),
};

test("D2 X-10 Q-18 Q-38 after a change of the login or its user, an old hint gets what no hint gets", async () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    const user = await makeUser({ roleId: 10 });
    const browser = await browserOf(user);
    await change(user);
    for (const path of ["/my/goals", "/admin/audit", "/account/security", "/api/my/notes", "/account.data"]) {
      const plain = await seen(await page(path, { login: browser.login }));
      const order = asked();
      const answer = await page(path, browser);
      expect(await seen(answer), `${path} after ${name}`).toEqual(plain);
      const isOneBatch = order[0] === "lookup and rows";
      if (!isOneBatch) expect(order.slice(0, 2).sort(), path).toEqual(["lookup", "rows"]);
      vi.restoreAllMocks();
      const line = setCookie(answer.headers);
      if (name === "an ended login" || name === "a sign-out") expect(line).toMatch(/^hint=; Max-Age=0;/);
      else expect(cookieValue(line), name).not.toBe("");
    }
  }
});

test("D2 X-10 signing out, signing in and a new password remove the hint", async () => {
  const { user, input } = await registered();
  const acted = async (path: string, body: Record<string, string>, cookies: Record<string, string>) =>
    page(path, cookies, { method: "POST", body: new URLSearchParams(body), headers: { Origin: ORIGIN } });
  const browser = await browserOf(user);
  const another = {
    currentPassword: PASSWORD,
    password: "a kettle at dawn",
    passwordConfirmation: "a kettle at dawn",
  };
  const changed = await acted("/account", { intent: "password", ...another }, browser);
  expect(cookieValue(setCookie(changed.headers, "login"))).not.toBe("");
  expect(setCookie(changed.headers)).toMatch(/^hint=; Max-Age=0;/);
  // The hint of the ended login, beside the cookie of the new login, is ignored.
  const login = cookieValue(setCookie(changed.headers, "login"));
  const next = await page("/account", { login, hint: browser.hint });
  expect([next.status, cookieValue(setCookie(next.headers)) === ""]).toEqual([200, false]);
  const left = await acted("/auth/logout", {}, { login, hint: cookieValue(setCookie(next.headers)) });
  expect(setCookie(left.headers)).toMatch(/^hint=; Max-Age=0;/);
  const sent = { email: input.email, password: another.password };
  const back = await acted("/auth/login", { intent: "login", ...sent }, { hint: browser.hint });
  expect(setCookie(back.headers)).toMatch(/^hint=; Max-Age=0;/);
  const visitor = await page("/about", { hint: browser.hint });
  expect(setCookie(visitor.headers)).toMatch(/^hint=; Max-Age=0;/);
});

test("D2 a forged hint, and the hint of another login or another user, are ignored", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [mine, theirs] = [await browserOf(user), await browserOf(other)];
  const altered = mine.hint.slice(0, -3) + (mine.hint.endsWith("AAA") ? "BBB" : "AAA");
  for (const hint of [theirs.hint, altered, "", "x", "A".repeat(400), "A".repeat(5000), btoa("{}")]) {
    const order: string[] = [];
    around({
      one: async (statement, _, run) => {
        if (!isLookup(statement)) return run();
        order.push("lookup asked");
        const row = await run();
        order.push("lookup answered");
        return row;
      },
      batch: (_, run) => {
        order.push("page asked");
        return run();
      },
    });
    const answer = await page("/my/goals", { login: mine.login, hint });
    expect(await answer.text()).toContain(user.username);
    expect(order).toEqual(["lookup asked", "lookup answered", "page asked"]);
    expect(cookieValue(setCookie(answer.headers))).not.toBe("");
    vi.restoreAllMocks();
  }
});

test("D2 a page under an old hint writes once, and under an ended login nothing", async () => {
  const user = await makeUser();
  const browser = await browserOf(user);
  /** The writes of a page in a browser that has moved to this zone: the page remembers the zone. */
  const writesIn = async (tz: string) => {
    const written: string[] = [];
    let sees = () => {};
    const hasSeen = new Promise<void>((resolve) => {
      sees = resolve;
    });
    around({
      one: async (statement, _, run) => {
        if (isLookup(statement)) await hasSeen;
        else if (!/^select/i.test(textOf(statement))) written.push(textOf(statement).slice(0, 14));
        return run();
      },
      batch: async (_, run) => {
        const rows = await run();
        sees();
        return rows;
      },
    });
    await (await page("/my/goals", { ...browser, tz })).text();
    await vi.waitFor(async () => {
      const [row] = await db.select().from(users).where(eq(users.id, user.id));
      expect([tz, ""]).toContain(written.length > 0 ? row?.timeZone : "");
    });
    vi.restoreAllMocks();
    return written;
  };
  await db.update(users).set({ firstName: "Grace" }).where(eq(users.id, user.id));
  expect(await writesIn("Europe/Rome")).toEqual(['update "users"']);
  await db.delete(schema.logins).where(eq(schema.logins.tokenHash, await hashToken(user.loginToken)));
  expect(await writesIn("Europe/Paris")).toEqual([]);
});

test("D2 users read their own writes: a new note is on the next pages, under an old hint and under a right one", async () => {
  const user = await makeUser({ tokens: 100_000_000 });
  const jar: Record<string, string> = await browserOf(user);
  const keep = (headers: Headers) => {
    for (const name of ["d1", "hint"]) {
      const line = setCookie(headers, name);
      if (line) jar[name] = cookieValue(line);
    }
  };
  const missed: string[] = [];
  for (let n = 0; n < runsOf(1000, 12); n++) {
    const content = `Note ${n} ${crypto.randomUUID()}`;
    const cookie = Object.entries(jar).map(([name, value]) => `${name}=${value}`);
    const Cookie = ["XSRF-TOKEN=test-xsrf-token-0123456789", ...cookie].join("; ");
    const written = await callAs(null, "POST", "/api/notes", { content }, { Cookie });
    expect(written.status).toBe(201);
    keep(written.headers);
    // The balance has changed, so that the first page has an old hint and the second a right one.
    for (const path of ["/my/notes", "/my/notes.data"]) {
      const answer = await page(path, jar);
      keep(answer.headers);
      if (!(await answer.text()).includes(content)) missed.push(`${path}: ${content}`);
    }
  }
  expect(missed).toEqual([]);
}, 600_000);
