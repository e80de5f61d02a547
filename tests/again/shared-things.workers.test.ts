// Different calls at once on shared things (huts, activities, sessions) by one or several people, also during a deletion.
// No request gets a 500, and the result equals some sequential order.
import { eq } from "drizzle-orm";
import { expect, vi } from "vitest";
import { schema } from "#db/connect.server";
import { MINUTE } from "~/domain/time";
import { callAs } from "../support/ask";
import type { TestUser } from "../support/factories";
import { goalNow, makeGoal } from "../support/goals";
import {
  balanceOf,
  join,
  makeActivity,
  makeHut,
  makeSession,
  seatsOf,
  sessionNow,
} from "../support/sessions";
import { atOnce, call, rows, times, usePeople, uuid } from "./at-once";

const { goals, activities } = schema;
const who = usePeople();

// ---- huts, activities

atOnce("S-17 huts with the same title, joins and attachments", [200, 201], async () => {
  const hut = await makeHut(who.ann);
  const activity = await makeActivity(who.ann);
  return {
    at: [
      ...who.each((user) => call(user, "POST /groups/store", { hut: { title: "One hut" } })),
      ...who.each((user) => call(user, `POST /groups/${hut.slug}/join`)),
      ...times(2, call(who.ann, `PATCH /groups/${hut.slug}/${activity.slug}/attach-challenge`)),
      ...times(2, call(who.ann, `PATCH /groups/${hut.slug}/${activity.slug}/detach-challenge`)),
    ],
    after: async () => expect((await rows(schema.huts, eq(schema.huts.id, hut.id)))[0]?.userCount).toBe(3),
  };
});

atOnce("activities of one title with goals of one uuid; goals sent again", [200, 201, 409], async () => {
  const mine = await makeActivity(who.ann);
  const task = () => ({ tasks: [{ title: "T", uuid: uuid() }] });
  const [one, two] = [task(), task()];
  return {
    at: [
      ...who.each((user) => call(user, "POST /challenges", { challenge: { title: "One activity" } })),
      ...who.each((user) => call(user, "POST /challenges", { challenge: { title: "One activity", ...one } })),
      ...times(4, call(who.ann, `PATCH /challenges/${mine.slug}`, { challenge: two })),
    ],
    after: async () => expect(await rows(goals, eq(goals.activityId, mine.id))).toHaveLength(1),
  };
});

atOnce("an activity deleted while it is followed and changed", [200, 204, 404], async () => {
  const { slug } = await makeActivity(who.ann);
  const before = await balanceOf(who.bob);
  const follow = (user: TestUser) => call(user, `POST /challenges/${slug}/join`);
  const change = { challenge: { title: "New", tasks: [{ title: "T" }] } };
  return {
    at: [
      call(who.ann, `DELETE /challenges/${slug}`),
      ...who.each(follow),
      ...times(2, call(who.ann, `PATCH /challenges/${slug}`, change)),
    ],
    after: async () => expect(before - (await balanceOf(who.bob))).toBe(0),
  };
});

// ---- sessions

/** A session of ann with seats for bob and cleo. */
const stage = async (over: Record<string, unknown> = {}) => {
  const session = await makeSession(who.ann, over);
  for (const user of [who.bob, who.cleo]) await join(user, session.id);
  return { ...session, event: `/challenge-events/${session.id}`, of: `/challenges/${session.slug}` };
};
const TASK = { type: "task", title: "Write", amount: 3 };

atOnce("sessions with goals of one uuid", [201, 409], async () => {
  const challenge = {
    title: "One session",
    duration: 600,
    is_manually_started: 1,
    tasks: [{ title: "T", uuid: uuid() }],
  };
  return { at: who.each((user) => call(user, "POST /challenge-events", { challenge })) };
});

atOnce("a session's title and text changed by many", [200], async () => {
  const { id, of, event } = await stage();
  return {
    at: [
      ...times(3, call(who.ann, `PATCH ${event}/patch`, { challenge: { title: "New" } })),
      ...times(3, call(who.ann, `PUT ${of}/save-content`, { content: "Text" })),
    ],
    after: async () => expect(await sessionNow(id)).toMatchObject({ title: "New", content: "Text" }),
  };
});

// 422 is for the update: it leaves out a goal that a log may have reached before.
atOnce("a session deleted while people are at work in it", [200, 201, 204, 403, 404, 409, 422], async () => {
  const balances = [await balanceOf(who.bob), await balanceOf(who.cleo)];
  const { of, event } = await stage();
  const goal = uuid();
  await callAs(who.ann, "POST", `${of}/parts`, { ...TASK, uuid: goal });
  const log = call(who.cleo, `POST ${event}/logs`, { task_uuid: goal, amount: 2 });
  const post = call(who.cleo, `POST ${of}/posts`, { content: "Hello" });
  return {
    at: [
      log,
      call(who.ann, `DELETE ${of}`),
      ...times(2, log),
      ...times(3, post),
      ...times(2, call(who.ann, `POST ${of}/parts`, TASK)),
      call(who.ann, `PATCH ${event}/patch`, { challenge: { title: "New", tasks: [{ title: "T" }] } }),
      call(who.ann, `POST ${event}/start`),
      call(who.bob, `POST ${event}/join`),
    ],
    after: async (answers) => {
      const spent = answers.slice(0, 7).filter(({ status }) => status === 201).length;
      expect([await balanceOf(who.bob), (await balanceOf(who.cleo)) + spent]).toEqual(balances);
    },
  };
});

atOnce("a log changed after its session was deleted", [200], async () => {
  const { of, event } = await stage();
  const goal = uuid();
  await callAs(who.ann, "POST", `${of}/parts`, { ...TASK, uuid: goal });
  const mine = await makeGoal(who.bob);
  await callAs(who.bob, "POST", `/api${event}/${mine.id}/attach-my-goal`, {});
  const { body } = await callAs(who.bob, "POST", "/api/logs/store-quick-log", {
    goal_id: mine.id,
    amount: 2,
  });
  await callAs(who.ann, "DELETE", of);
  return {
    at: times(2, call(who.bob, `PATCH /api/challenge-logs/${body.log.id}/update`, { amount: 4 })),
    after: async () => expect((await goalNow(mine.id)).amountElapsed).toBe(4000),
  };
});

atOnce(
  "B-14 a start and a cancellation: the session runs, or the joins are refunded",
  [200, 409],
  async () => {
    const before = await balanceOf(who.bob);
    const { id, event } = await stage();
    return {
      at: [
        ...times(2, call(who.ann, `POST ${event}/start`)),
        ...times(2, call(who.ann, `POST ${event}/end`)),
      ],
      after: async () => {
        const row = await sessionNow(id);
        const wasReturned = (await balanceOf(who.bob)) === before;
        expect(row?.closedAt !== null && row?.startedAt === row?.endedAt).toBe(wasReturned);
      },
    };
  },
);

atOnce("a run: parts, chat, ready marks, done", [200, 201, 403, 404, 409, 422], async () => {
  const { id, event, of } = await stage({
    parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "p", title: "P", duration: 300 }] }],
  });
  await callAs(who.ann, "POST", `${event}/start`, {});
  const line = { messageable_type: "challenge_event", messageable_id: id, content: "Hello", nonce: "n" };
  const before = await balanceOf(who.bob);
  return {
    at: [
      ...["start", "pause", "resume", "finish", "reset"].flatMap((to) =>
        times(2, call(who.ann, `POST ${event}/parts/p/${to}`)),
      ),
      ...times(2, call(who.ann, `POST ${event}/parts/p/adjust`, { seconds: 60 })),
      ...times(3, call(who.bob, "POST /messages", line)),
      ...who.each((user) => call(user, `POST ${of}/user-is-ready`)),
      ...times(2, call(who.cleo, `POST ${event}/complete`)),
      ...times(2, call(who.cleo, `POST /api${event}/leave`)),
      ...times(2, call(who.ann, `PUT ${of}/contribute-content`, { contribution: "C" })),
      ...times(3, call(who.ann, `POST ${event}/end`)),
    ],
    after: async () => {
      const { body } = await callAs(who.ann, "GET", `/api/sessions/${id}/chat`);
      expect(body.serverData.messages.length).toBeLessThanOrEqual(1);
      expect(before - (await balanceOf(who.bob))).toBe(body.serverData.messages.length);
    },
  };
});

atOnce(
  "R-05 hand-over, removal and leaving keep one host and the right count",
  [200, 204, 403, 404, 409],
  async () => {
    const { id, event } = await stage();
    const one = (user: TestUser) => `${event}/participants/${user.username}`;
    return {
      at: [
        call(who.ann, `PATCH ${one(who.bob)}`, { host: 1 }),
        call(who.ann, `DELETE ${one(who.bob)}`),
        call(who.bob, `POST /api${event}/leave`),
        call(who.ann, `PATCH ${one(who.cleo)}`, { host: 1 }),
        call(who.ann, `PATCH ${one(who.cleo)}`, { role: 0 }),
        ...times(2, call(who.ann, `DELETE ${one(who.cleo)}`)),
      ],
      after: async ([, removed]) => {
        const seats = await seatsOf(id);
        expect(seats.filter(({ isHost }) => isHost)).toHaveLength(1);
        expect((await sessionNow(id))?.participantsCount).toBe(seats.length);
        expect(removed?.status === 204 && seats.some(({ userId }) => userId === who.bob.id)).toBe(false);
      },
    };
  },
);

atOnce("R-07 resets by a super admin open the session once", [200, 409], async () => {
  const activity = await makeActivity(who.ann);
  const { id, event, of } = await stage({ challenge_slug: activity.slug });
  await callAs(who.ann, "POST", `${event}/start`, {});
  vi.setSystemTime(Date.now() + MINUTE);
  await callAs(who.ann, "POST", `${event}/end`, {});
  return {
    at: times(4, call(who.admin, `POST ${of}/reset`)),
    after: async () => {
      expect((await sessionNow(id))?.closedAt).toBeNull();
      expect((await rows(activities, eq(activities.id, activity.id)))[0]?.openSessionsCount).toBe(1);
    },
  };
});
