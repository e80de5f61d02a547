// Acts that only the right of a super admin allows: each leaves one row of the audit, a refused one leaves none, and
// host, owner and admins leave none.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { makeActivity, makeHut, makeSession, stageSession } from "#tests/support/sessions";
import type { AuditAction } from "~/domain/safety/audit";
import { importBook } from "~/use-cases/items/books.server";

const actsOf = (actor: TestUser) => db.select().from(schema.audit).where(eq(schema.audit.actorId, actor.id));

async function scene() {
  const staged = await stageSession({ tasks: [{ title: "Walk" }] });
  const [owner, root] = [await makeUser(), await makeUser({ roleId: 10 })];
  const hut = await makeHut(owner);
  const activity = await makeActivity(owner);
  const { id, slug } = staged.session;
  return {
    ...staged,
    owner,
    root,
    hut,
    activity,
    event: `/challenge-events/${id}`,
    challenge: `/challenges/${slug}`,
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Ask = [method: string, path: string, body?: object];
type Case = {
  act: string;
  action: AuditAction;
  /** The act happens while the session runs, and otherwise before it begins. */
  isRunning?: true;
  ask: (s: Scene) => Ask;
  /** A request for this act that is refused. */
  refused: (s: Scene) => Ask;
  /** The person who may do so anyway; null: only a super admin may. */
  ordinaryActor: "host" | "owner" | null;
  previous?: string | ((s: Scene) => string);
};

const gone = "/challenge-events/999999999";
const CASES: Case[] = [
  {
    act: "starts a session",
    action: "session-started",
    ask: (s) => ["POST", `${s.event}/start`, {}],
    refused: () => ["POST", `${gone}/start`, {}],
    ordinaryActor: "host",
    previous: "waiting",
  },
  {
    act: "ends a session",
    action: "session-ended",
    isRunning: true,
    ask: (s) => ["POST", `${s.event}/end`, {}],
    refused: () => ["POST", `${gone}/end`, {}],
    ordinaryActor: "host",
    previous: "in progress",
  },
  {
    act: "cancels a session",
    action: "session-cancelled",
    ask: (s) => ["POST", `${s.event}/end`, {}],
    refused: () => ["POST", `${gone}/end`, {}],
    ordinaryActor: "host",
  },
  {
    act: "resets a session",
    action: "session-reset",
    isRunning: true,
    ask: (s) => ["POST", `${s.challenge}/reset`, {}],
    refused: () => ["POST", "/challenges/nothing-here/reset", {}],
    ordinaryActor: null,
    previous: "in progress",
  },
  {
    act: "deletes a session",
    action: "session-removed",
    ask: (s) => ["DELETE", s.challenge],
    refused: () => ["DELETE", "/challenges/nothing-here"],
    ordinaryActor: "host",
    previous: "Morning pages",
  },
  {
    act: "changes a waiting session",
    action: "session-changed",
    ask: (s) => ["PATCH", `${s.event}/patch`, { challenge: { title: "Renamed", participant_limit: 9 } }],
    refused: (s) => ["PATCH", `${s.event}/patch`, { challenge: { participant_limit: 1 } }],
    ordinaryActor: "host",
    previous: "title: Morning pages; limit: none",
  },
  {
    act: "changes a running session",
    action: "session-changed",
    isRunning: true,
    ask: (s) => ["PATCH", `${s.event}/patch`, { challenge: { difficulty: 3, title: "New", prompt: "Ask" } }],
    refused: (s) => ["PATCH", `${s.event}/patch`, { challenge: { duration: 60 } }],
    ordinaryActor: "host",
    previous: "title: Morning pages; difficulty: 4",
  },
  {
    act: "changes a running session's texts",
    action: "texts-changed",
    isRunning: true,
    ask: (s) => ["PUT", `${s.challenge}/save-content`, { title: "New", content: "Words", prompt: "Ask" }],
    refused: (s) => ["PUT", `${s.challenge}/save-content`, { title: " " }],
    ordinaryActor: "host",
    previous: "Morning pages",
  },
  {
    act: "changes a waiting session's texts",
    action: "texts-changed",
    ask: (s) => ["PUT", `${s.challenge}/save-content`, { content: "Words" }],
    refused: (s) => ["PUT", `${s.challenge}/save-content`, { title: " " }],
    ordinaryActor: "host",
  },
  {
    act: "changes a waiting session's timers",
    action: "timers-changed",
    ask: (s) => ["PATCH", `${s.challenge}/parts/b`, { duration: 60 }],
    refused: (s) => ["PATCH", `${s.challenge}/parts/nothing`, { duration: 60 }],
    ordinaryActor: "host",
  },
  {
    act: "runs a timer",
    action: "timers-changed",
    isRunning: true,
    ask: (s) => ["POST", `${s.event}/parts/a/start`, {}],
    refused: (s) => ["POST", `${s.event}/parts/nothing/start`, {}],
    ordinaryActor: "host",
  },
  {
    act: "changes the limit and goals of a run",
    action: "session-changed",
    isRunning: true,
    ask: (s) => [
      "PATCH",
      `${s.event}/patch`,
      { challenge: { participant_limit: 9, tasks: [{ title: "Read" }] } },
    ],
    refused: (s) => ["PATCH", `${s.event}/patch`, { challenge: { participant_limit: 1, tasks: [] } }],
    ordinaryActor: "host",
    previous: "limit: none",
  },
  {
    act: "adds a goal to a session",
    action: "goals-changed",
    ask: (s) => ["POST", `${s.challenge}/parts`, { type: "task", title: "Read" }],
    refused: (s) => [
      "POST",
      `${s.challenge}/parts`,
      { type: "task", title: "Read", events_group_uuid: "none" },
    ],
    ordinaryActor: "host",
  },
  {
    act: "makes a session a template",
    action: "template-made",
    ask: (s) => ["PATCH", `${s.event}/patch`, { challenge: { is_preset: 1 } }],
    refused: (s) => ["PATCH", `${s.event}/patch`, { challenge: { is_preset: 1, participant_limit: 1 } }],
    ordinaryActor: null,
  },
  {
    act: "makes a new template",
    action: "template-made",
    ask: () => [
      "POST",
      "/challenge-events",
      { challenge: { title: "A start", is_preset: 1, is_manually_started: 1, duration: 600 } },
    ],
    refused: () => ["POST", "/challenge-events", { challenge: { title: "", is_preset: 1 } }],
    ordinaryActor: null,
  },
  {
    act: "changes an activity",
    action: "activity-changed",
    ask: (s) => ["PATCH", `/challenges/${s.activity.slug}`, { challenge: { title: "Renamed" } }],
    refused: (s) => ["PATCH", `/challenges/${s.activity.slug}`, { challenge: { category: "none" } }],
    ordinaryActor: "owner",
    previous: "Write together",
  },
  {
    act: "deletes an activity",
    action: "activity-removed",
    ask: (s) => ["DELETE", `/challenges/${s.activity.slug}`],
    refused: () => ["DELETE", "/challenges/nothing-here"],
    ordinaryActor: "owner",
    previous: "Write together",
  },
  {
    act: "puts an activity into a hut",
    action: "activity-changed",
    ask: (s) => ["PATCH", `/groups/${s.hut.slug}/${s.activity.slug}/attach-challenge`, {}],
    refused: (s) => ["PATCH", `/groups/${s.hut.slug}/nothing-here/attach-challenge`, {}],
    ordinaryActor: "owner",
  },
  {
    act: "changes a hut",
    action: "hut-changed",
    ask: (s) => ["PATCH", `/groups/${s.hut.slug}/patch`, { hut: { title: "Renamed" } }],
    refused: (s) => ["PATCH", `/groups/${s.hut.slug}/patch`, { hut: { title: "" } }],
    ordinaryActor: "owner",
    previous: "Hut",
  },
  {
    act: "gives tokens to the pool",
    action: "tokens-given",
    ask: () => ["POST", "/tokens/tokens/add-free", { amount: 5 }],
    refused: () => ["POST", "/tokens/tokens/add-free", { amount: -5 }],
    ordinaryActor: null,
  },
];

test.each(CASES)(
  "Q-29 a super admin who $act leaves one row of the audit, and none when refused",
  async (one) => {
    const s = await scene();
    if (one.isRunning) await callAs(s.host, "POST", `${s.event}/start`, {});
    const [method, path, body] = one.refused(s);
    expect((await callAs(s.root, method, path, body)).status).toBeGreaterThanOrEqual(400);
    expect(await actsOf(s.root)).toEqual([]);
    const [how, where, what] = one.ask(s);
    const done = await callAs(s.root, how, where, what);
    expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
    const rows = await actsOf(s.root);
    expect(rows.map(({ action }) => action)).toEqual([one.action]);
    const { previous = "" } = one;
    expect(rows[0]?.previous).toBe(typeof previous === "string" ? previous : previous(s));
  },
);

/** The first case of each action. */
const ANYWAY = CASES.flatMap((one, index) =>
  one.ordinaryActor && CASES.findIndex(({ action }) => action === one.action) === index
    ? [{ ...one, anyway: one.ordinaryActor }]
    : [],
);
test.each(ANYWAY)("Q-29 no row of the audit where the $anyway $act", async (one) => {
  const s = await scene();
  if (one.isRunning) await callAs(s.host, "POST", `${s.event}/start`, {});
  const [method, path, body] = one.ask(s);
  const done = await callAs(s[one.anyway], method, path, body);
  expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
  // The scene itself changes a role.
  const rows = (await actsOf(s[one.anyway])).map(({ action }) => action);
  expect(rows.filter((action) => action !== "role-changed")).toEqual([]);
});

test("Q-29 a super admin who puts others' activity into a hut, as its member, leaves one row of the audit", async () => {
  const s = await scene();
  await callAs(s.root, "POST", `/groups/${s.hut.slug}/join`, {});
  const theirs = await makeActivity(s.host);
  const path = `/groups/${s.hut.slug}/${theirs.slug}/attach-challenge`;
  expect((await callAs(s.root, "PATCH", path, {})).status).toBe(200);
  expect((await actsOf(s.root)).map(({ action }) => action)).toEqual(["activity-changed"]);
});

test("Q-29 a super admin who makes an ordinary session leaves no row of the audit", async () => {
  const root = await makeUser({ roleId: 10 });
  await makeSession(root);
  expect(await actsOf(root)).toEqual([]);
});

test("Q-29 two simultaneous starts by super admins leave one row, written before the room changes", async () => {
  const s = await scene();
  const both = await Promise.all([1, 2].map(() => callAs(s.root, "POST", `${s.event}/start`, {})));
  expect(Math.min(...both.map(({ status }) => status))).toBe(200);
  expect((await actsOf(s.root)).map(({ action }) => action)).toEqual(["session-started"]);
});

test("Q-29 an imported book leaves one row of the audit, in a local run only that of a super admin", async () => {
  const [root, local] = [await makeUser({ roleId: 10 }), await makeUser()];
  for (const user of [root, local])
    await importBook(await appOf(user), { title: "Of Huts", text: "One.\n\nTwo." });
  expect(await actsOf(local)).toEqual([]);
  expect((await actsOf(root)).map(({ action, reason }) => [action, reason])).toEqual([
    ["book-imported", "Of Huts"],
  ]);
});
