// Acts that asked for sign-in, without JavaScript: they run once, after signing in or registering.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { insertReset } from "#db/queries/accounts/accounts";
import { setSanction } from "#db/queries/safety/sanctions";
import { ask, ORIGIN } from "#tests/support/ask";
import { db, makeUser } from "#tests/support/factories";
import { makeActivity, makeHut, makeSession, seatsOf } from "#tests/support/sessions";
import { isResumable } from "~/domain/accounts/resume-after-sign-in";
import { instant, MINUTE } from "~/domain/time";
import { hashToken, newToken } from "~/use-cases/tokens.server";

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
type Waiting = { cookie: string; actToResume: string };
/** The cookie of the refusal, and the value in the sign-in form of that answer. */
async function waitingIn(refused: Response): Promise<Waiting> {
  const [, actToResume = ""] = /name="actToResume" value="([^"]+)"/.exec(await refused.text()) ?? [];
  return { cookie: `interrupted=${cookiesOf(refused).get("interrupted") ?? ""}`, actToResume };
}
const NONE: Waiting = { cookie: "", actToResume: "" };
const register = ({ cookie, actToResume }: Waiting, username = newName()) => {
  return send(
    "/auth/register",
    {
      intent: "register",
      next: "/",
      actToResume,
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
  const waiting = await waitingIn(refused);
  expect(waiting.actToResume).toMatch(/^[\w-]{40,}$/);
  expect(decodeURIComponent(waiting.cookie)).not.toContain("pinecone");
  expect(decodeURIComponent(waiting.cookie)).not.toContain(waiting.actToResume);

  const registered = await register(waiting);
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
  const registered = await register(await waitingIn(refused));
  expect([registered.status, registered.headers.get("Location")]).toEqual([
    302,
    `/activities/${activity.slug}`,
  ]);
  expect(decodeURIComponent(cookiesOf(registered).get("toast") ?? "")).toContain("followed this activity");

  const coded = await makeSession(await makeUser(), { join_code: "pinecone" });
  const wrong = await send(coded.path, { intent: "join", joinCode: "wrong" });
  const told = await register(await waitingIn(wrong));
  expect(told.status).not.toBe(302);
  expect(await told.text()).toContain("Join Code");
  expect(cookiesOf(told).get("login")).toBeTruthy();
});

test("R-71 creating a goal happens after registering, once under its request key", async () => {
  const rows = async () => Number(await env.DB.prepare("SELECT count(*) AS n FROM goals").first("n"));
  const before = await rows();
  const fields = { intent: "goal.create", title: "Walk", uuid: crypto.randomUUID() };
  const waiting = await waitingIn(await send("/my/goals", fields));
  expect((await register(waiting)).status).toBe(302);
  expect(await rows()).toBe(before + 1);
  // The same act again, by somebody else: the key belongs to the first.
  await register(waiting);
  expect(await rows()).toBe(before + 1);
});

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
  const login = `login=${cookiesOf(await register(NONE, username)).get("login")}`;
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
  const { cookie, actToResume } = await waitingIn(refused);
  const signIn = { intent: "login", next: "/", email: `${username}@example.com`, password, actToResume };
  for (const _ of [1, 2]) {
    const signedIn = await send("/auth/login", signIn, cookie);
    expect(cookiesOf(signedIn).get("interrupted")).toBe("");
    expect(decodeURIComponent(cookiesOf(signedIn).get("toast") ?? "")).not.toBe("");
    expect(await find(count)).toEqual({ n: 1 });
  }
});

test("R-71 Q-18 an act does not run when a suspended person signs in for it, and runs for another", async () => {
  const [suspended, other] = [await signedIn(), await signedIn()];
  const [user] = await db.select().from(schema.users).where(eq(schema.users.username, suspended.username));
  const site = { scope: "site", targetId: 0, userId: user?.id ?? 0, kind: "ban" } as const;
  await db.batch([setSanction(db, { ...site, until: null, reason: "", now: instant(Date.now()) })]);
  const waiting = async () => waitingIn(await send("/my/notes", { intent: "note.create", title: "Plans" }));
  const refused = await suspended.signIn(await waiting());
  expect([refused.status, cookiesOf(refused).get("login") !== ""]).toEqual([302, true]);
  await other.signIn(await waiting());
  expect([await suspended.notes(), await other.notes()]).toEqual([[], ["Plans"]]);
});

test("R-71 a forged act never runs, and no sign-in form is kept", async () => {
  const session = await makeSession(await makeUser());
  const before = (await seatsOf(session.id)).length;
  const forged = encodeURIComponent(JSON.stringify({ path: session.path, body: "intent=join", until: 9e15 }));
  const guessed = { cookie: `interrupted=${forged}`, actToResume: "x".repeat(43) };
  expect((await register(guessed)).headers.get("Location")).toBe("/");
  expect((await seatsOf(session.id)).length).toBe(before);
  const login = await send("/auth/login", { intent: "two-step", token: "x", code: "123456", next: "/" });
  expect(cookiesOf(login).has("interrupted")).toBe(false);
});

test("R-93 another sign-in of the browser runs no kept act, and drops it", async () => {
  const session = await makeSession(await makeUser());
  const before = await seatsOf(session.id);
  const waiting = await waitingIn(await send(session.path, { intent: "join" }));
  const other = await waitingIn(await send(session.path, { intent: "join" }));
  for (const actToResume of ["", other.actToResume]) {
    const registered = await register({ ...waiting, actToResume });
    expect([registered.status, registered.headers.get("Location")]).toEqual([302, "/"]);
    expect(cookiesOf(registered).get("interrupted")).toBe("");
  }
  expect(await seatsOf(session.id)).toEqual(before);
});

test("R-93 the value of a kept act goes from one tab to the other, through a refusal, and into no address", async () => {
  const session = await makeSession(await makeUser());
  const before = (await seatsOf(session.id)).length;
  const refused = await send(session.path, { intent: "join" });
  const waiting = await waitingIn(refused);
  const forms = { next: session.path, actToResume: waiting.actToResume };
  const turned = await send("/auth/register", { intent: "other-tab", ...forms }, waiting.cookie);
  expect([turned.status, cookiesOf(turned).has("interrupted")]).toEqual([200, false]);
  expect((await waitingIn(turned)).actToResume).toBe(waiting.actToResume);
  const wrong = { intent: "login", email: "nobody@example.com", password: "wrong words", ...forms };
  const again = await send("/auth/login", wrong, waiting.cookie);
  const html = await again.text();
  expect(html).toContain(`name="actToResume" value="${waiting.actToResume}"`);
  expect(html).not.toMatch(new RegExp(`(?:href|action)="[^"]*${waiting.actToResume}`));
  await register(waiting);
  expect((await seatsOf(session.id)).length).toBe(before + 1);
});

/** A person who has signed in, and the mark of their pages. */
async function signedIn() {
  const username = newName();
  const login = `login=${cookiesOf(await register(NONE, username)).get("login")}`;
  const page = await ask("/my/notes?create=1", { headers: { Accept: "text/html", Cookie: login } });
  const [, madeFor = ""] = /name="madeFor" value="([^"]+)"/.exec(await page.text()) ?? [];
  expect(madeFor).toMatch(/^[\w-]{22}\.[\w-]{16}\.[\w-]{36}$/);
  const signIn = ({ cookie, actToResume }: Waiting) =>
    send(
      "/auth/login",
      { intent: "login", next: "/", email: `${username}@example.com`, password, actToResume },
      cookie,
    );
  const notes = async () =>
    (
      await env.DB.prepare(
        "SELECT n.title FROM notes n JOIN users u ON u.id = n.user_id WHERE u.username = ? ORDER BY n.id",
      )
        .bind(username)
        .all<{ title: string }>()
    ).results.map(({ title }) => title);
  return { username, madeFor, signIn, notes };
}

test("R-58 R-93 an act of somebody's page runs when they sign in, and for nobody else", async () => {
  const [ann, ben, bystander] = [await signedIn(), await signedIn(), await signedIn()];
  const note = { intent: "note.create", title: "Plans", todo: "Mine" };
  const refused = () => send("/my/notes", { ...note, madeFor: ann.madeFor });
  const [first, second, third] = [
    await waitingIn(await refused()),
    await waitingIn(await refused()),
    await waitingIn(await refused()),
  ];
  for (const other of [await ben.signIn(first), await register(second)]) {
    expect([other.status, other.headers.get("Location")]).toEqual([302, "/"]);
    const cookies = cookiesOf(other);
    expect([cookies.get("interrupted"), decodeURIComponent(cookies.get("toast") ?? "")]).toEqual([
      "",
      expect.stringContaining("Another account began this, so nothing was done."),
    ]);
  }
  expect((await ann.signIn(third)).headers.get("Location")).toBe("/my/notes");
  expect([await ann.notes(), await ben.notes(), await bystander.notes()]).toEqual([["Plans"], [], []]);
});

test("R-71 R-93 an act without a uuid runs once, when two tabs finish the sign-in together or a sign-in is sent again", async () => {
  const ann = await signedIn();
  const waiting = await waitingIn(await send("/my/notes", { intent: "note.create", title: "Once" }));
  const both = await Promise.all([ann.signIn(waiting), ann.signIn(waiting)]);
  for (const answer of [...both, await ann.signIn(waiting)]) {
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/my/notes"]);
    expect(cookiesOf(answer).get("login")).toBeTruthy();
  }
  expect(await ann.notes()).toEqual(["Once"]);
  // Another act of the same text is another act.
  await ann.signIn(await waitingIn(await send("/my/notes", { intent: "note.create", title: "Once" })));
  expect(await ann.notes()).toEqual(["Once", "Once"]);
});

test("R-82 R-93 an invitation's press goes on through signing in, and through registering to the confirmation", async () => {
  const hut = await makeHut(await makeUser());
  const code = newToken();
  const inviteHash = await hashToken(code);
  await db.update(schema.huts).set({ isPrivate: true, inviteHash }).where(eq(schema.huts.id, hut.id));
  const enter = async () => waitingIn(await send("/groups/invite", { intent: "enter", code }));
  const membersIn = async () =>
    (await db.select().from(schema.hutMembers).where(eq(schema.hutMembers.hutId, hut.id))).length;
  const before = await membersIn();

  const username = newName();
  const registered = await register(await enter(), username);
  expect(registered.status).toBe(403);
  expect(await membersIn()).toBe(before);
  const [kept] = await db
    .select({ username: schema.users.username })
    .from(schema.acceptedInvitations)
    .innerJoin(schema.users, eq(schema.users.id, schema.acceptedInvitations.userId));
  expect(kept?.username).toBe(username);

  await db
    .update(schema.users)
    .set({ emailConfirmedAt: instant(1) })
    .where(eq(schema.users.username, username));
  const signIn = { intent: "login", next: "/", email: `${username}@example.com`, password };
  const waiting = await enter();
  const signedIn = await send("/auth/login", { ...signIn, actToResume: waiting.actToResume }, waiting.cookie);
  expect([signedIn.status, signedIn.headers.get("Location")]).toEqual([302, `/group/${hut.slug}`]);
  expect(await membersIn()).toBe(before + 1);
});

test.each([
  ["an account's suspension", "/admin/users/somebody", { intent: "suspend", reason: "x", days: "1" }],
  ["a hut's deletion", "/groups/hill-folk/update", { intent: "delete" }],
  ["a key", "/account/api", { intent: "key.create", name: "k", scopes: "read", days: "30" }],
  ["a calendar address", "/account/calendar", { intent: "calendar.create" }],
  ["the end of other logins", "/account/security", { intent: "end-other-logins" }],
  ["a new session", "/challenges/events/create", { intent: "create", title: "Evening", duration: "1h" }],
])("R-93 %s is not kept for a sign-in", async (_, path, fields) => {
  const refused = await send(path, fields);
  expect([cookiesOf(refused).has("interrupted"), isResumable(path, fields.intent)]).toEqual([false, false]);
});

test("R-93 a reset by mail drops the kept act", async () => {
  const username = newName();
  await register(NONE, username);
  const waiting = await waitingIn(await send("/my/goals", { intent: "goal.create", title: "Walk" }));
  const token = newToken();
  const now = instant(Date.now());
  const link = { tokenHash: await hashToken(token), now, expiresAt: instant(now + MINUTE) };
  await insertReset(db, { email: `${username}@example.com`, ...link });
  const fields = {
    intent: "reset",
    token,
    email: `${username}@example.com`,
    password: "other plain words",
    passwordConfirmation: "other plain words",
  };
  const reset = await send("/reset-password", fields, waiting.cookie);
  expect([reset.status, cookiesOf(reset).get("interrupted")]).toEqual([200, ""]);
});
