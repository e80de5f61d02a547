// GET /api/health, and the emails to the operator when jobs or messages fail.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { desc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, ORIGIN } from "#tests/support/ask";
import { db, NOW } from "#tests/support/factories";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { recordMinuteCron } from "~/use-cases/health.server";
import { runCron } from "./cron";
import type { Env } from "./env";
import { createHttp } from "./http";
import { runQueue } from "./queue";

/** A database that does not answer. */
const fail = () => Promise.reject(new Error("D1 is down"));
const statement = { bind: () => statement, all: fail, run: fail, raw: fail, first: fail };
const DEAD_DB = {
  prepare: () => statement,
  batch: fail,
  withSession: () => DEAD_DB,
  getBookmark: () => null,
} as unknown as D1Database;

let said: MockInstance<typeof console.error>;
beforeEach(() => {
  said = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());
const errors = () => said.mock.calls.map(([line]) => JSON.parse(String(line)));

describe("GET /api/health", () => {
  /** Each environment has an isolate's memory of its own. */
  const askHealth = async (own: Env, cookie = "") => {
    const http = createHttp(async () => new Response("A page"));
    const asked = new Request(`${ORIGIN}/api/health`, { headers: { Cookie: cookie } });
    const answer = await http.fetch(asked, own, createExecutionContext());
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Record<string, unknown>,
    };
  };

  test("names release, newest migration and the age of the minute cron, for five seconds and without a cookie", async () => {
    await recordMinuteCron({ db, now: instant(Date.now() - 40_000) });
    const own = { ...env };
    const { status, headers, body } = await askHealth(own);
    const [newest] = env.TEST_MIGRATIONS.map(({ name }) => name)
      .sort()
      .reverse();
    expect([status, body]).toEqual([
      200,
      { ok: true, release: "dev", migration: newest, cron_age: expect.any(Number), cron: "running" },
    ]);
    expect(body.cron_age).toBeGreaterThanOrEqual(40);
    expect([headers.get("Cache-Control"), headers.get("Set-Cookie")]).toEqual(["public, max-age=5", null]);
    // Within five seconds nothing is read again.
    expect((await askHealth(Object.assign(own, { DB: DEAD_DB }))).body).toEqual(body);
  });

  test("is 200 and says that the cron is starting for ten minutes from the first check of a release, then 503", async () => {
    await db.delete(schema.cronMarks);
    const first = Date.now();
    const stateAt = async (minutes: number) => {
      vi.setSystemTime(first + minutes * MINUTE);
      const { status, body } = await askHealth({ ...env });
      return [status, body.ok, body.cron, body.cron_age];
    };
    expect(await stateAt(0)).toEqual([200, true, "starting", null]);
    expect(await stateAt(9)).toEqual([200, true, "starting", null]);
    expect(await stateAt(10)).toEqual([503, false, "late", null]);
    await recordMinuteCron({ db, now: instant(Date.now()) });
    expect(await stateAt(15)).toEqual([200, true, "running", 300]);
    expect(await stateAt(16)).toEqual([503, false, "late", 360]);
  });

  test("is 503 without a cause when D1 does not answer; the log has the cause", async () => {
    const answer = await askHealth({ ...env, DB: DEAD_DB });
    expect([answer.status, answer.body]).toEqual([503, { ok: false }]);
    expect(errors()).toMatchObject([{ event: "not-healthy", error: "Error: D1 is down" }]);
  });

  test("is answered at the address of the site", async () => {
    await recordMinuteCron({ db, now: instant(Date.now()) });
    expect((await ask("/api/health")).status).toBe(200);
  });
});

describe("ALERT_MAIL", () => {
  const sent: { to: string; subject: string; text: string }[] = [];
  const MAIL = { send: async (mail: (typeof sent)[number]) => void sent.push(mail) } as unknown as SendEmail;
  const alerting = { ...env, MAIL, ALERT_MAIL: "warden@cabins.dev" };
  beforeEach(() => {
    sent.length = 0;
  });
  const run = (cron: string, at: number, over: object = {}) =>
    runCron({ cron, scheduledTime: at }, { ...alerting, ...over }, createExecutionContext());

  test("hears of the third failed run in a row of an expression, without D1, and again after an hour", async () => {
    const dead = { DB: DEAD_DB };
    const minute = async (n: number, over: object) => {
      await run("* * * * *", NOW + n * MINUTE, over);
    };
    for (const n of [0, 1]) await minute(n, dead);
    expect(sent).toEqual([]);
    // A run that works ends the row.
    await minute(2, {});
    for (const n of [3, 4]) await minute(n, dead);
    expect(sent).toEqual([]);
    await minute(5, dead);
    expect(sent).toMatchObject([
      { to: "warden@cabins.dev", subject: "[Bothy] The jobs of * * * * * failed three times in a row" },
    ]);
    expect(sent[0]?.text).toContain("plan-reminders: Error: D1 is down");
    for (let n = 6; n < 65; n++) await minute(n, dead);
    expect(sent).toHaveLength(1);
    await minute(66, dead);
    expect(sent).toHaveLength(2);
  });

  test("hears of three nights in a row", async () => {
    for (const n of [0, 1, 2]) await run("17 3 * * *", NOW + n * DAY, { DB: DEAD_DB });
    expect(sent).toHaveLength(1);
  });

  const deadLetters = (count: number) => {
    const acked = vi.fn();
    const messages = Array.from({ length: count }, (_, n) => ({ body: [`event-${n}`] }));
    const batch = { queue: "bothy-jobs-dead", messages, ackAll: acked } as unknown as MessageBatch<string[]>;
    return { acked, batch };
  };

  test("hears of dead letters, which are logged and taken, once an hour", async () => {
    vi.setSystemTime(NOW + 30 * DAY);
    const { acked, batch } = deadLetters(2);
    await runQueue(batch, { ...alerting, DB: DEAD_DB }, createExecutionContext());
    await runQueue(batch, { ...alerting, DB: DEAD_DB }, createExecutionContext());
    expect(acked).toHaveBeenCalledTimes(2);
    expect(sent.map(({ subject, text }) => [subject, text.split("\n")[0]])).toEqual([
      ["[Bothy] Messages of the queue failed", "2 messages failed too often. Their rows: event-0, event-1"],
    ]);
    vi.setSystemTime(NOW + 30 * DAY + HOUR + 1);
    await runQueue(batch, { ...alerting, DB: DEAD_DB }, createExecutionContext());
    expect(sent).toHaveLength(2);
    expect(errors()).toMatchObject(
      Array.from({ length: 3 }, () => ({ event: "dead-letter", messages: 2, ids: ["event-0", "event-1"] })),
    );
  });

  test("that is unset or cannot be reached stops no job and no queue", async () => {
    const { batch, acked } = deadLetters(1);
    await runQueue(batch, { ...env, MAIL }, createExecutionContext());
    const down = { send: () => Promise.reject(new Error("no server")) } as unknown as SendEmail;
    vi.setSystemTime(NOW + 40 * DAY);
    await runQueue(batch, { ...alerting, MAIL: down }, createExecutionContext());
    expect(acked).toHaveBeenCalledTimes(2);
    expect(sent).toEqual([]);
    expect(errors().at(-1)).toMatchObject({ event: "alert-failed", error: "MailFailure: Error: no server" });
  });

  test("of a local run lands in the mailbox", async () => {
    const { batch } = deadLetters(1);
    vi.setSystemTime(NOW + 50 * DAY);
    await runQueue(batch, { ...env, ALERT_MAIL: "warden@cabins.dev" }, createExecutionContext());
    const [mail] = await db.select().from(schema.mailbox).orderBy(desc(schema.mailbox.id)).limit(1);
    expect(mail).toMatchObject({ recipient: "warden@cabins.dev" });
  });
});
