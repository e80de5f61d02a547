// A model of what a session remembers: drawn logs, lines and titles, their edits and deletions, with a room that now and
// then cannot be reached. After each act nothing that was forgotten is in D1, room, recap, copy or what a page hears.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { joinRoom, ROOM_NOW, stubOf, useRoomClock } from "#tests/support/rooms";
import { sayIn, sessionNow, stageSession } from "#tests/support/sessions";
import { createRoomApp } from "#workers/create-room-app";
import { SECOND } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { deleteGoal, updateGoal } from "~/use-cases/goals/goals.server";
import { deleteLog, updateLog } from "~/use-cases/goals/log-moves.server";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { notifyMarkedRooms } from "~/use-cases/sessions/log-marks.server";

const at = useRoomClock();
const ACTS = [
  "log",
  "ownLog",
  "editLog",
  "deleteLog",
  "goal",
  "own",
  "say",
  "editLine",
  "removeLine",
  "title",
] as const;
const anyStep = fc.record({
  act: fc.constantFrom(...ACTS),
  who: fc.constantFrom("host", "guest"),
  nth: fc.nat({ max: 9 }),
  /** The room cannot be reached by this act, and has to find the mark. */
  isCut: fc.boolean(),
});
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

const unreachable = (app: App): App => ({
  ...app,
  rooms: {
    ...app.rooms,
    of: (id) => ({
      ...app.rooms.of(id),
      followLogs: () => Promise.reject(new Error("the room does not answer")),
    }),
  },
});
/** Everything that the room has stored of its history. */
const historyOf = (id: number): Promise<string> =>
  runInDurableObject(stubOf(id), (_, { storage }) =>
    JSON.stringify(storage.sql.exec("SELECT * FROM lines ORDER BY seq").toArray()),
  );

class Model {
  words = new Set<string>();
  forgotten = new Set<string>();
  logs: { id: number; by: TestUser; word: string }[] = [];
  lines: { seq: number; by: TestUser; word: string }[] = [];
  #count = 0;
  fresh(): string {
    const word = `word${++this.#count}w`;
    this.words.add(word);
    return word;
  }
  forget(word: string): void {
    this.words.delete(word);
    this.forgotten.add(word);
  }
}

async function play(steps: readonly Step[], after: readonly Step[]): Promise<void> {
  at(ROOM_NOW);
  const model = new Model();
  const first = model.fresh();
  const { host, guest, session, event, challenge, view } = await stageSession({ tasks: [{ title: first }] });
  const { id } = session;
  const goalOfSession = (await view()).session.tasks[0].id as number;
  const ownWord = model.fresh();
  const own = await makeGoal(guest, { title: ownWord, attachedSessionId: id });
  const titles = { goal: first, own: ownWord, session: "" };
  const people = { host, guest };
  // A session of other people, with a log of the same person, hears nothing of all this.
  const other = await stageSession({ tasks: [{ title: "bystander goal" }] });
  const otherGoal = (await other.view()).session.tasks[0].id as number;
  await storeQuickLog(await appOf(other.guest), { goalId: otherGoal, amount: 1000, title: "bystander log" });
  await event(host, "/start");

  let now = ROOM_NOW as number;
  const check = async (label: string) => {
    const [row] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, id));
    const logs = await db.select().from(schema.logs).where(eq(schema.logs.sessionId, id));
    const copy = await createRoomApp(env, ROOM_NOW).copies.getChat(id);
    const history = (await (await joinRoom(host, id)).expect("history")) as object;
    const room = await historyOf(id);
    const all = JSON.stringify([row, logs, copy, history, room]);
    expect(
      [...model.forgotten].filter((word) => all.includes(word)),
      label,
    ).toEqual([]);
    // The room has each remaining log once, in its present words.
    for (const { word } of model.logs) expect(room.split(word).length - 1, `${label}: ${word}`).toBe(1);
    for (const { word } of model.lines) expect(room, label).toContain(word);
    expect(await db.select().from(schema.logMarks), label).toEqual([]);
  };
  const take = async (step: Step) => {
    now += 2 * SECOND;
    at(now);
    const by = people[step.who];
    const log = model.logs[step.nth % Math.max(1, model.logs.length)];
    const line = model.lines[step.nth % Math.max(1, model.lines.length)];
    const appOfLog = log && (step.isCut ? unreachable(await appOf(log.by)) : await appOf(log.by));
    const isRunning = (await sessionNow(id))?.closedAt === null;
    if ((step.act === "log" || step.act === "ownLog") && isRunning) {
      const isOwn = step.act === "ownLog";
      const person = isOwn ? guest : by;
      if (isOwn && titles.own === "") return;
      const word = model.fresh();
      const goalId = isOwn ? own.id : goalOfSession;
      const made = await storeQuickLog(await appOf(person), { goalId, amount: 1000, title: word });
      model.logs.push({ id: made.log.id, by: person, word });
      // The notice of a new log is not awaited.
      return expect.poll(() => historyOf(id)).toContain(word);
    }
    if (step.act === "editLog" && log && appOfLog) {
      const word = model.fresh();
      await updateLog(appOfLog, { log: log.id, title: word, amount: (step.nth + 2) * 1000 });
      model.forget(log.word);
      log.word = word;
    }
    if (step.act === "deleteLog" && log && appOfLog) {
      await deleteLog(appOfLog, { log: log.id });
      model.forget(log.word);
      model.logs = model.logs.filter((one) => one !== log);
    }
    if (step.act === "goal") {
      const word = model.fresh();
      await updateGoal(step.isCut ? unreachable(await appOf(host)) : await appOf(host), {
        goal: goalOfSession,
        title: word,
      });
      model.forget(titles.goal);
      titles.goal = word;
    }
    if (step.act === "own" && titles.own !== "") {
      const ofGuest = step.isCut ? unreachable(await appOf(guest)) : await appOf(guest);
      const word = step.nth < 7 ? model.fresh() : "";
      if (word) await updateGoal(ofGuest, { goal: own.id, title: word });
      else {
        const gone = await db.select().from(schema.logs).where(eq(schema.logs.goalId, own.id));
        await deleteGoal(ofGuest, { goal: own.id });
        for (const one of model.logs.filter(({ id: logId }) => gone.some((row) => row.id === logId)))
          model.forget(one.word);
        model.logs = model.logs.filter(({ id: logId }) => !gone.some((row) => row.id === logId));
      }
      model.forget(titles.own);
      titles.own = word;
    }
    if (step.act === "say" && isRunning) {
      const word = model.fresh();
      expect((await sayIn(by, id, word)).status).toBeLessThan(300);
      const rows = JSON.parse(await historyOf(id)) as { seq: number; content: string }[];
      model.lines.push({ seq: rows.find(({ content }) => content === word)?.seq ?? 0, by, word });
    }
    if (step.act === "editLine" && line && isRunning) {
      const word = model.fresh();
      const { status } = await callAs(line.by, "PATCH", `/api/sessions/${id}/messages/${line.seq}`, {
        content: word,
      });
      expect(status).toBe(200);
      model.forget(line.word);
      line.word = word;
    }
    if (step.act === "removeLine" && line) {
      const { status } = await callAs(line.by, "DELETE", `/api/sessions/${id}/messages/${line.seq}`);
      expect(status).toBe(204);
      model.forget(line.word);
      model.lines = model.lines.filter((one) => one !== line);
    }
    if (step.act === "title" && isRunning) {
      const word = model.fresh();
      expect((await challenge(host, "PUT", "/save-content", { title: word })).status).toBe(200);
      if (titles.session) model.forget(titles.session);
      titles.session = word;
    }
    // A restart: sockets survive a hibernation, after which the room still waits for the job.
    if (step.isCut && step.nth % 2 === 0) await evictDurableObject(stubOf(id), { webSockets: "close" });
    else if (step.isCut) await notifyMarkedRooms(await appOf(host));
  };
  for (const [n, step] of steps.entries()) {
    await take(step);
    await check(`step ${n}: ${step.act}${step.isCut ? " unreachable" : ""}`);
  }
  await event(host, "/end");
  await check("the end");
  for (const [n, step] of after.entries()) {
    await take(step);
    await check(`after the end ${n}: ${step.act}${step.isCut ? " unreachable" : ""}`);
    const recap = (await sessionNow(id))?.recap;
    const sum = (
      await db.select().from(schema.sessionTotals).where(eq(schema.sessionTotals.sessionId, id))
    ).reduce((all, { amount }) => all + amount, 0);
    const isTotalled = recap?.goals.length === 1;
    expect([isTotalled, recap?.goals[0]?.title]).toEqual([true, titles.goal]);
    if (titles.own === "") expect(recap?.goals[0]?.amount).toBe(sum);
  }
  expect(await historyOf(other.session.id)).toContain("bystander log");
  expect((await dataOf(other.host, `/api/sessions/${other.session.id}/logs`)).logs).toHaveLength(1);
}

test("R-90 room, record, recap and copy forget what was edited, deleted or renamed, also by a room that was cut off", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 6, maxLength: 12 }),
      fc.array(anyStep, { minLength: 2, maxLength: 5 }),
      play,
    ),
    { numRuns: runsOf(30, 3), seed: propertySeed, endOnFailure: true },
  );
}, 300_000);
