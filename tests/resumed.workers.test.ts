// Acts that asked for sign-in, without JavaScript: they run once, after signing in or registering.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ask, ORIGIN } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { makeActivity, makeSession, seatsOf } from "#tests/support/sessions";

const send = (path: string, fields: Record<string, string>, cookie = "") =>
  ask(path, {
    method: "POST",
    redirect: "manual",
    headers: { Accept: "text/html", Origin: ORIGIN, Host: new URL(ORIGIN).host, Cookie: cookie },
    body: new URLSearchParams(fields),
  });
const cookiesOf = (response: Response): Map<string, string> =>
  new Map(
    response.headers.getSetCookie().map((line) => {
      const [name = "", ...value] = (line.split(";")[0] ?? "").split("=");
      return [name, value.join("=")] as const;
    }),
  );
const password = "several plain words";
const newName = () => `new${crypto.randomUUID().slice(0, 8)}`;
const register = (cookie: string, username = newName()) => {
  return send(
    "/auth/register",
    {
      intent: "register",
      next: "/",
      username,
      email: `${username}@example.com`,
      password,
      passwordConfirmation: password,
      firstName: "Nora",
      lastName: "New",
      terms: "on",
    },
    cookie,
  );
};

test("R-71 joining with a code happens after registering, without a second press, and once", async () => {
  const session = await makeSession(await makeUser(), { join_code: "pinecone" });
  const before = (await seatsOf(session.id)).length;
  const refused = await send(session.path, { intent: "join", joinCode: "pinecone" });
  expect(refused.status).toBe(401);
  const kept = cookiesOf(refused).get("interrupted") ?? "";
  expect(kept).not.toBe("");
  expect(decodeURIComponent(kept)).not.toContain("pinecone");

  const registered = await register(`interrupted=${kept}`);
  expect([registered.status, registered.headers.get("Location")]).toEqual([302, session.path]);
  const own = cookiesOf(registered);
  expect(own.get("login")).toBeTruthy();
  // The page says what was done, and the act cannot run again.
  expect(decodeURIComponent(own.get("toast") ?? "")).toContain("You have successfully joined this session.");
  expect(own.get("interrupted")).toBe("");
  expect((await seatsOf(session.id)).length).toBe(before + 1);
});

test("R-71 following happens after registering; the refusal of an act is shown, and the sign-in holds", async () => {
  const activity = await makeActivity(await makeUser());
  const refused = await send(`/activities/${activity.slug}`, { intent: "follow" });
  expect([refused.status, [...cookiesOf(refused).keys()]]).toEqual([
    401,
    expect.arrayContaining(["interrupted"]),
  ]);
  const kept = cookiesOf(refused).get("interrupted") ?? "";
  const registered = await register(`interrupted=${kept}`);
  expect([registered.status, registered.headers.get("Location")]).toEqual([
    302,
    `/activities/${activity.slug}`,
  ]);
  expect(decodeURIComponent(cookiesOf(registered).get("toast") ?? "")).toContain("followed this activity");

  const coded = await makeSession(await makeUser(), { join_code: "pinecone" });
  const wrong = await send(coded.path, { intent: "join", joinCode: "wrong" });
  const told = await register(`interrupted=${cookiesOf(wrong).get("interrupted")}`);
  expect(told.status).not.toBe(302);
  expect(await told.text()).toContain("Join Code");
  expect(cookiesOf(told).get("login")).toBeTruthy();
});

test.each([
  ["a goal", "/my/goals", { intent: "goal.create", title: "Walk" }, "SELECT count(*) AS n FROM goals"],
  [
    "a session",
    "/challenges/events/create",
    { intent: "create", title: "Evening", startMode: "manual", duration: "1h" },
    "SELECT count(*) AS n FROM sessions",
  ],
])(
  "R-71 creating %s happens after registering, once under its request key",
  async (_, path, fields, count) => {
    const rows = async () => Number(await env.DB.prepare(count).first("n"));
    const before = await rows();
    const refused = await send(path, { ...fields, uuid: crypto.randomUUID() });
    const kept = `interrupted=${cookiesOf(refused).get("interrupted")}`;
    expect((await register(kept)).status).toBe(302);
    expect(await rows()).toBe(before + 1);
    // The same act again, by somebody else: the key belongs to the first.
    await register(kept);
    expect(await rows()).toBe(before + 1);
  },
);

test.each([
  [
    "a post",
    "posts",
    (path: string) => [`${path}/hut`, { intent: "post", content: "Good evening" }] as const,
  ],
  [
    "a log",
    "logs",
    (_: string, goal: number) => [`/my/goals/${goal}`, { intent: "log.create", amount: "2" }] as const,
  ],
])("R-71 %s happens after signing in again, once", async (_, table, actOf) => {
  const username = newName();
  const login = `login=${cookiesOf(await register("", username)).get("login")}`;
  const session = await makeSession(await makeUser());
  await send(session.path, { intent: "join" }, login);
  await send("/my/goals", { intent: "goal.create", title: "Walk" }, login);
  const find = (sql: string) => env.DB.prepare(sql).bind(username).first<{ n: number }>();
  const goal = await find(
    "SELECT g.id AS n FROM goals g JOIN users u ON u.id = g.user_id WHERE u.username = ?",
  );
  const count = `SELECT count(*) AS n FROM ${table} t JOIN users u ON u.id = t.user_id WHERE u.username = ?`;
  const [path, fields] = actOf(session.path, goal?.n ?? 0);
  const refused = await send(path, { goal: String(goal?.n), uuid: crypto.randomUUID(), ...fields });
  const kept = `interrupted=${cookiesOf(refused).get("interrupted")}`;
  const signIn = { intent: "login", next: "/", email: `${username}@example.com`, password };
  for (const _ of [1, 2]) {
    const signedIn = await send("/auth/login", signIn, kept);
    expect(cookiesOf(signedIn).get("interrupted")).toBe("");
    expect(await find(count)).toEqual({ n: 1 });
  }
});

test("R-71 a forged act never runs, and no sign-in form is kept", async () => {
  const session = await makeSession(await makeUser());
  const before = (await seatsOf(session.id)).length;
  const forged = encodeURIComponent(JSON.stringify({ path: session.path, body: "intent=join", until: 9e15 }));
  expect((await register(`interrupted=${forged}`)).headers.get("Location")).toBe("/");
  expect((await seatsOf(session.id)).length).toBe(before);
  const login = await send("/auth/login", { intent: "two-step", token: "x", code: "123456", next: "/" });
  expect(cookiesOf(login).has("interrupted")).toBe(false);
});
