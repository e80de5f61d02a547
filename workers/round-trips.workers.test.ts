// How often a request waits for D1, and which copy of the database it reads.
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { makeSession } from "#tests/support/sessions";
import { wrappedD1 } from "#tests/support/wrapped-d1";

/** The D1 sessions that requests open from now on, what they ask, and how much each batch asks at once. */
function watched() {
  const seen = { opened: [] as string[], asked: [] as string[], sizes: [] as number[] };
  const proto = Object.getPrototypeOf(env.DB) as D1Database;
  const { withSession } = proto;
  vi.spyOn(proto, "withSession").mockImplementation(function (this: D1Database, mark) {
    seen.opened.push(String(mark));
    const session = withSession.call(this, mark as string);
    return wrappedD1(session as unknown as D1Database, {
      one: (_, __, run) => {
        seen.asked.push("statement");
        return run();
      },
      batch: (size, run) => {
        seen.asked.push("batch");
        seen.sizes.push(size);
        return run();
      },
    }) as unknown as D1DatabaseSession;
  });
  return seen;
}
afterEach(() => vi.restoreAllMocks());

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
const bookmarkOf = ({ headers }: { headers: Headers }) =>
  /^d1=([^;]*)/.exec(headers.getSetCookie().find((line) => line.startsWith("d1=")) ?? "")?.[1] ?? "";

test("D2 a signed-in page waits for its login, then for one batch, and a visitor's page for one", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user);
  const { loginToken: login } = user;
  const cases: [string, Record<string, string>, number][] = [
    ...["/", "/events", "/my/goals", "/tokens", `/sessions/${id}`].map(
      (path): [string, Record<string, string>, number] => [path, { login }, 2],
    ),
    ...["/", "/events", "/activities"].map((path): [string, Record<string, string>, number] => [path, {}, 1]),
  ];
  for (const [path, cookies, trips] of cases) {
    const { asked } = watched();
    const answer = await page(path, cookies);
    await answer.text();
    vi.restoreAllMocks();
    expect([path, answer.status, asked.length]).toEqual([path, 200, trips]);
    if (cookies.login) expect([path, asked[0]]).toEqual([path, "statement"]);
  }
});

test("D2 P-31 R-84 the tab Details asks only for the session, its newest logs, and the goals that a line may name", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user);
  const login = { login: user.loginToken };
  // The first page reads whether there is a session, before it calls the room.
  await (await page(`/sessions/${id}`, login)).text();
  const { sizes } = watched();
  await (await page(`/sessions/${id}`, login)).text();
  expect(sizes).toEqual([3]);
});

test("D2 reads accept any replica or the bookmark of the last write, and writes go to the primary", async () => {
  const { loginToken: login } = await makeUser();
  const opened = async (run: () => Promise<unknown>) => {
    const seen = watched();
    await run();
    vi.restoreAllMocks();
    return [...new Set(seen.opened)];
  };
  const read = (cookies: Record<string, string>) => async () => (await page("/my/notes", cookies)).text();
  expect(await opened(read({ login }))).toEqual(["first-unconstrained"]);
  expect(await opened(read({}))).toEqual(["first-unconstrained"]);
  const user = await makeUser({ tokens: 1000 });
  const written = await callAs(user, "POST", "/api/notes", { content: "A kettle" });
  const d1 = bookmarkOf(written);
  expect(d1).not.toBe("");
  expect(await opened(read({ login: user.loginToken, d1 }))).toEqual([d1]);
  const post = () =>
    page(
      "/my/notes",
      { login: user.loginToken, d1 },
      {
        method: "POST",
        body: new URLSearchParams({ intent: "create", content: "x" }),
        headers: { Origin: ORIGIN },
      },
    );
  expect(await opened(post)).toEqual(["first-primary"]);
});

test("D2 users read their own writes: a new note is on the next pages", async () => {
  const user: TestUser = await makeUser({ tokens: 100_000_000 });
  const missed: string[] = [];
  for (let n = 0; n < runsOf(1000, 12); n++) {
    const content = `Note ${n} ${crypto.randomUUID()}`;
    const written = await callAs(user, "POST", "/api/notes", { content });
    expect(written.status).toBe(201);
    const cookies = { login: user.loginToken, d1: bookmarkOf(written) };
    for (const path of ["/my/notes", "/my/notes.data"])
      if (!(await (await page(path, cookies)).text()).includes(content)) missed.push(`${path}: ${content}`);
  }
  expect(missed).toEqual([]);
}, 600_000);
