// The bounds of instants at every address, and rows stored before the bounds existed, which must break no page.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { callAs } from "./support/ask";
import { appOf, makeUser, NOW, type TestUser } from "./support/factories";
import { makeGoal } from "./support/goals";
import { makeActivity, makeHut, makeSession, sessionNow, stageSession } from "./support/sessions";
import { post, visit } from "./support/visit";

const FROM = Date.UTC(2000, 0);
const BEFORE = Date.UTC(2100, 0);
const LAST_START = NOW + 5 * 365.25 * 86_400_000;
/** The latest instant of a Date, and others that every address refuses. */
const OUTSIDE = [8.64e15, -8.64e15, 8.64e15 + 1, BEFORE, FROM - 1, -1, Date.UTC(9999, 11, 31), 1e300];

beforeEach(() => void vi.setSystemTime(NOW));

const outside = fc.oneof(
  fc.constantFrom(...OUTSIDE),
  fc.integer({ min: BEFORE, max: Number.MAX_SAFE_INTEGER }),
  fc.integer({ min: Number.MIN_SAFE_INTEGER, max: FROM - 1 }),
);
/** The same instant in each notation of the wire. */
const said = (at: number): (string | number)[] => {
  const ways: (string | number)[] = [at];
  if (Number.isSafeInteger(at) && Math.abs(at) >= 1e9) ways.push(String(at));
  if (Math.abs(at) <= 8.64e15) ways.push(new Date(at).toISOString());
  return ways;
};

describe("X-04 an instant outside its bounds is refused at its field", () => {
  let user: TestUser;
  beforeAll(async () => {
    user = await makeUser({ tokens: 1_000_000 });
  });

  test("X-04 a session's start and end, by call, whatever the instant", async () => {
    await fc.assert(
      fc.asyncProperty(outside, fc.constantFrom("started_at", "ended_at"), async (at, field) => {
        for (const value of said(at)) {
          const challenge = { title: "Far", duration: 3600, started_at: NOW + 60_000, [field]: value };
          const { status, body } = await callAs(user, "POST", "/challenge-events", { challenge });
          expect(status, String(value)).toBe(422);
          expect(Object.keys(body.fields), String(value)).toEqual([field]);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("X-04 a session starts at most five years ahead, by call and by change", async () => {
    const make = (started_at: number) =>
      callAs(user, "POST", "/challenge-events", { challenge: { title: "Far", duration: 3600, started_at } });
    const made = await make(LAST_START);
    expect(made.status).toBe(201);
    const refused = await make(LAST_START + 1);
    expect(refused.status).toBe(422);
    expect(refused.body.fields.started_at).toEqual(["Please choose a start within the next five years."]);
    const { id } = made.body.challenge_event;
    const moved = await callAs(user, "PATCH", `/challenge-events/${id}/patch`, {
      challenge: { started_at: LAST_START + 1 },
    });
    expect(moved.status).toBe(422);
    expect(moved.body.fields.started_at).toHaveLength(1);
    expect((await sessionNow(id))?.startedAt).toBe(LAST_START);
  });

  test("X-04 a session's start, by form", async () => {
    for (const startedAt of ["9999-12-31 09:30:00", "1999-12-31 09:30:00", "2100-01-02 09:30:00"]) {
      const page = await post(user, "/challenges/events/create", {
        title: "Far",
        startMode: "date",
        startedAt,
        timeZone: "UTC",
        duration: "1h",
        difficulty: "4",
      });
      expect(page.status, startedAt).toBe(422);
      expect(page.html, startedAt).toContain("Please give a date from 2000 to 2099.");
    }
  });

  test("X-04 a part's dates, whatever the instant, by call", async () => {
    const { id } = await makeSession(user);
    await fc.assert(
      fc.asyncProperty(outside, fc.constantFrom("started_at", "ended_at"), async (at, field) => {
        for (const value of said(at)) {
          const part = { title: "Far", duration: 300, [field]: value };
          const whole = await callAs(user, "PATCH", `/challenge-events/${id}/patch`, {
            challenge: { parts: [{ uuid: "g", parts: [part] }] },
          });
          expect(whole.status, String(value)).toBe(422);
          expect(Object.keys(whole.body.fields)).toEqual([`parts.0.parts.0.${field}`]);
        }
      }),
      { numRuns: 20 },
    );
    const plan = await sessionNow(id);
    expect(JSON.stringify(plan?.schedule)).not.toContain("Far");
  });

  test("X-04 a goal's dates, whatever the instant", async () => {
    await fc.assert(
      fc.asyncProperty(outside, fc.constantFrom("started_at", "ended_at"), async (at, field) => {
        for (const value of said(at)) {
          const { status, body } = await callAs(user, "POST", "/api/goals/store", {
            title: "Far",
            [field]: value,
          });
          expect(status, String(value)).toBe(422);
          expect(Object.keys(body.fields)).toEqual([field]);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("X-04 the day of a log", async () => {
    const goal = await makeGoal(user);
    for (const day of ["0001-01-01", "1999-12-31", "2100-01-01", "9999-12-31"]) {
      const { status, body } = await callAs(user, "POST", "/api/logs/store-quick-log", {
        goal_id: goal.id,
        day,
      });
      expect([status, Object.keys(body.fields)], day).toEqual([422, ["day"]]);
    }
  });

  test("X-04 the times that a client sends with a log", async () => {
    const goal = await makeGoal(user);
    const made = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, status: 1 });
    const { id } = made.body.log;
    for (const [path, field] of [
      [`/api/challenge-logs/${id}/start`, "started_at"],
      [`/api/challenge-logs/${id}/stop`, "ended_at"],
      [`/challenge-events/logs/${id}`, "paused_at"],
    ] as const)
      for (const value of OUTSIDE) {
        const answer = await callAs(user, "POST", path, { [field]: value });
        expect([answer.status, Object.keys(answer.body.fields)], `${path} ${value}`).toEqual([422, [field]]);
      }
  });

  test("X-04 T-20 a day that no calendar has, or words around a year, are refused at their field", async () => {
    const { id } = await makeSession(user);
    const goal = await makeGoal(user);
    const { body } = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, status: 1 });
    const noDates = [
      "2027-02-30 10:00:00",
      "2027-02-31T10:00:00.000Z",
      "2027-04-31",
      "2027-01-01 25:00:00",
      "see you 2027",
      "2027",
      "1 May 2027",
    ];
    for (const value of noDates)
      for (const [method, path, sent, field] of [
        ["POST", "/challenge-events", { challenge: { title: "No", duration: 600, started_at: value } }, ""],
        ["PATCH", `/challenge-events/${id}/patch`, { challenge: { started_at: value } }, ""],
        [
          "PATCH",
          `/challenge-events/${id}/patch`,
          {
            challenge: { parts: [{ uuid: "g", parts: [{ title: "No", duration: 300, started_at: value }] }] },
          },
          "parts.0.parts.0.",
        ],
        ["POST", "/api/goals/store", { title: "No", started_at: value }, ""],
        ["POST", `/api/challenge-logs/${body.log.id}/start`, { started_at: value }, ""],
      ] as const) {
        const answer = await callAs(user, method, path, sent);
        expect([value, path, answer.status, answer.body.fields]).toEqual([
          value,
          path,
          422,
          { [`${field}started_at`]: ["Please give a date and time, such as 2026-11-21 09:30:00."] },
        ]);
      }
  });

  test("X-04 2000, 2099 and the instants between are accepted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: FROM, max: BEFORE - 1 }), async (at) => {
        for (const value of said(at)) {
          const { status, body } = await callAs(user, "POST", "/api/goals/store", {
            title: "Near",
            started_at: value,
          });
          expect(status, String(value)).toBe(201);
          expect(Date.parse(body.goal.started_at)).toBe(at);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe("X-04 a row stored before the bounds existed", () => {
  const FAR = 8_640_000_000_000_000;
  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run();

  test("X-04 shows null, is logged, and breaks no list, page or export", async () => {
    const [owner, other] = [await makeUser({ tokens: 100_000 }), await makeUser()];
    const hut = await makeHut(owner, [owner, other]);
    const activity = await makeActivity(owner, { hutId: hut.id });
    const staged = await stageSession({ challenge_id: activity.id });
    const { session, host } = staged;
    const goal = await makeGoal(host);
    const { body } = await callAs(host, "POST", "/api/logs/store-quick-log", { goal_id: goal.id });
    const far = {
      groups: [
        {
          id: "g",
          type: "event",
          isLinked: true,
          isHidden: false,
          isAutoStart: true,
          sets: 1,
          parts: [
            {
              id: "a",
              title: "A",
              duration: 300,
              isCustomDuration: false,
              intervals: [],
              sets: 1,
              isPerParticipant: false,
              mayEditPrompt: false,
              mayEditContent: false,
              mayEditSummary: false,
              relativeStart: null,
              startedAt: FAR,
              endedAt: FAR + 300_000,
              pausedAt: null,
              state: "waiting",
              plannedStartAt: FAR,
              turns: [],
            },
          ],
        },
      ],
    };
    for (const isPlanFar of [false, true]) {
      // Some rows also have a far plan, others only far dates.
      await run(
        `UPDATE sessions SET started_at = ?, ended_at = ?, is_manually_started = 0, hut_id = ?${isPlanFar ? ", schedule = ?" : ""} WHERE id = ?`,
        ...[FAR, FAR + 3_600_000, hut.id, ...(isPlanFar ? [JSON.stringify(far)] : []), session.id],
      );
      await run("UPDATE goals SET started_at = ?, ended_at = ? WHERE id = ?", FAR, FAR + 1, goal.id);
      await run("UPDATE logs SET started_at = ?, ended_at = ? WHERE id = ?", FAR, FAR + 1, body.log.id);
      await run("UPDATE activities SET created_at = ? WHERE id = ?", FAR, activity.id);
      await run("UPDATE huts SET created_at = ?, updated_at = ? WHERE id = ?", FAR, FAR, hut.id);
      await (await appOf(host)).rooms.of(session.id).refresh();
      const logged = vi.spyOn(console, "error").mockImplementation(() => {});
      for (const user of [null, other, host])
        for (const path of [
          "/",
          "/events",
          "/activities",
          `/activities/${activity.slug}`,
          `/group/${hut.slug}`,
          `/sessions/${session.id}`,
          "/api/events",
          "/api/home",
          "/api/activities",
          `/api/activities/${activity.slug}`,
          `/api/group/${hut.slug}`,
          `/api/group/${hut.slug}/sessions`,
          `/api/hut/${hut.slug}/activities`,
          `/api/sessions/${session.id}`,
          "/sitemap.xml",
        ]) {
          const answer = path.startsWith("/api")
            ? (await callAs(user, "GET", path)).status
            : (await visit(user, path)).status;
          expect(answer, `${path} as ${user?.username ?? "a visitor"}`).toBeLessThan(400);
        }
      for (const path of ["/my/goals", "/my/logs", "/my/sessions", "/my/groups", `/my/goals/${goal.id}`])
        expect((await visit(host, path)).status, path).toBe(200);
      for (const file of ["everything.json", "goals.csv", "logs.csv", "sessions.csv"])
        expect((await visit(host, `/account/export/${file}`)).status, file).toBe(200);
      const events = logged.mock.calls.map(([line]) => String(line));
      expect(events.some((line) => line.includes('"unreadable-instant"'))).toBe(true);
      expect(events.filter((line) => line.includes("unknown-error"))).toEqual([]);
      logged.mockRestore();
      const view = await callAs(other, "GET", `/api/sessions/${session.id}`);
      expect(view.body.serverData.session.started_at).toBeNull();
    }
  });
});
