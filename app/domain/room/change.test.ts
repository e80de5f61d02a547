// Permissions and effects of room changes: turns, starts, ends and resets.

import { describe, expect, test } from "vitest";
import { TOO_LARGE_A_PLAN } from "~/domain/errors";
import { ROW_BYTES } from "~/domain/row-size";
import { absolute, minute, part, schedule, statesText } from "~/domain/schedule/fixtures";
import { partsInOrder } from "~/domain/schedule/shape";
import { statusAt } from "~/domain/sessions/status";
import { withContributions } from "~/domain/sessions/texts";
import { instant } from "~/domain/time";
import { advanceRoom } from "./advance";
import { applyChange } from "./change";
import { CHAT_CLOSED, chatPermission } from "./chat";
import { versionOf } from "./edit";
import {
  admin,
  contribution,
  guest,
  host,
  refusal,
  room,
  roomAfter,
  started,
  stranger,
  superAdmin,
} from "./fixtures";
import type { RoomActor, RoomState, StateChange } from "./room";

const EVERYBODY: [string, RoomActor][] = [
  ["host", host],
  ["admin", admin],
  ["participant", guest],
  ["stranger", stranger],
  ["super admin", superAdmin],
];
const may = (state: RoomState, change: (by: RoomActor) => StateChange, n: number) =>
  EVERYBODY.filter(([, by]) => refusal(state, change(by), n)[0] === "OK").map(([name]) => name);

describe("permissions", () => {
  const staff = ["host", "admin", "super admin"];
  const members = ["host", "admin", "participant"];

  test("S-06 A-03 A-05 A-06 R-38 host, admins and super admin start a session", () => {
    expect(may(room(), (by) => ({ type: "start", by }), 0)).toEqual(staff);
  });
  test("S-07 host and super admin end it for everybody", () => {
    expect(may(started(), (by) => ({ type: "end", by }), 1)).toEqual(["host", "super admin"]);
  });
  test("S-07 V-28 participants mark themselves done or ready", () => {
    expect(may(started(), (by) => ({ type: "complete", by }), 1)).toEqual(members);
    expect(may(room(), (by) => ({ type: "set-ready", by, isReady: true }), 0)).toEqual(members);
    expect(refusal(room(), { type: "set-ready", by: stranger, isReady: true }, 0)).toEqual([
      "FORBIDDEN",
      "Please join the challenge to use that feature.",
    ]);
  });
  test("R-29 host, admins and super admin control the parts", () => {
    const control = (by: RoomActor): StateChange => ({
      type: "control-part",
      by,
      partId: "a",
      action: "pause",
    });
    expect(may(started(), control, 1)).toEqual(staff);
    expect(may(started(), (by) => ({ type: "adjust-part", by, partId: "a", seconds: 5 }), 1)).toEqual(staff);
    expect(refusal(room(), control(host), 0)).toEqual(["CONFLICT", "The session has not started yet."]);
  });
  test("A-06 the host always edits the content, an admin while awaiting and while the active part allows it", () => {
    const save = (by: RoomActor): StateChange => ({
      type: "save-content",
      by,
      content: "x",
      contentHtml: "x",
    });
    expect(may(room(), save, 0)).toEqual(staff);
    expect(may(started(), save, 1)).toEqual(["host", "super admin"]);
    const open = started({ schedule: schedule([part("a", 5, { mayEditContent: true }), part("b", 5)]) });
    expect(may(open, save, 1)).toEqual(staff);
    expect(may(open, save, 6)).toEqual(["host", "super admin"]);
  });
  test("A-07 the prompt is editable while awaiting, or while the active part has edit_prompt", () => {
    const save = (by: RoomActor): StateChange => ({ type: "save-prompt", by, prompt: "x" });
    expect(may(room(), save, 0)).toEqual(staff);
    const open = started({ schedule: schedule([part("a", 5, { mayEditPrompt: true }), part("b", 5)]) });
    expect(may(open, save, 1)).toEqual(staff);
    expect(may(open, save, 6)).toEqual(["host", "super admin"]);
  });
  test("R-07 A-03 only a super admin resets a session", () => {
    expect(may(started(), (by) => ({ type: "reset", by }), 1)).toEqual(["super admin"]);
  });
});

test("A-08 T-15 only the participant whose turn it is contributes, and turns follow the order of joining", () => {
  const state = started({
    schedule: schedule([part("a", 2, { isPerParticipant: true, mayEditContent: true })]),
  });
  const add = (by: RoomActor): StateChange => ({
    type: "contribute",
    by,
    contribution: "x",
    contributionHtml: "x",
  });
  expect([1, 3, 5].map((n) => may(state, add, n))).toEqual([["host"], ["admin"], ["participant"]]);
  expect(refusal(state, add(guest), 1)).toEqual(["FORBIDDEN", "It is not your turn."]);
  expect(may(state, add, 7)).toEqual([]);
});

test("A-08 R-66 a contribution is stored under its author, and the host's text stays", () => {
  const state = started({ schedule: schedule([part("a", 5, { mayEditContent: true })]), content: "One" });
  const next = roomAfter(
    state,
    { type: "contribute", by: guest, contribution: "Two", contributionHtml: "<p>Two</p>" },
    1,
  );
  expect(next.content).toBe("One");
  expect(next.contributions).toEqual([
    {
      seq: state.seq + 1,
      userId: guest.userId,
      username: guest.username,
      content: "Two",
      contentHtml: "<p>Two</p>",
      createdAt: minute(1),
    },
  ]);
  expect(withContributions(next)).toEqual({ content: "One\n\nTwo", contentHtml: "<p>Two</p>" });
  const full = { ...state, content: "x".repeat(199_999) };
  const change: StateChange = { type: "contribute", by: guest, contribution: "Two", contributionHtml: "" };
  expect(refusal(full, change, 1)[0]).toBe("TOO_LARGE");
});

test("X-07 R-66 a contribution sent again adds nothing, also after the turn; another text, person or press adds one", () => {
  const open = started({ schedule: schedule([part("a", 5, { mayEditContent: true })]) });
  const send = (by: RoomActor, uuid: string, contribution = "Two"): StateChange => ({
    type: "contribute",
    by,
    contribution,
    contributionHtml: contribution,
    uuid,
  });
  const once = roomAfter(open, send(guest, "first"), 1);
  expect(roomAfter(once, send(guest, "first"), 1)).toEqual(once);
  const closed = { ...once, schedule: schedule([part("a", 5, {})]) };
  expect(roomAfter(closed, send(guest, "first"), 1).contributions).toEqual(once.contributions);
  for (const other of [send(guest, "second"), send(guest, "first", "Three"), send(host, "first")])
    expect(roomAfter(once, other, 1).contributions).toHaveLength(2);
});

test("X-07 a room of the last release, which has stored no uuid, adds each contribution without one", () => {
  const state = started({ schedule: schedule([part("a", 5, { mayEditContent: true })]) });
  const change: StateChange = { type: "contribute", by: guest, contribution: "Two", contributionHtml: "Two" };
  expect(roomAfter(roomAfter(state, change, 1), change, 1).contributions).toHaveLength(2);
});

test("R-66 R-35 contributions count for the row of a room's texts with their authors and times", () => {
  const state = started({ schedule: schedule([part("a", 5, { mayEditContent: true })]) });
  const many = { ...state, contributions: Array.from({ length: 20_000 }, (_, n) => contribution(n, "x")) };
  expect(JSON.stringify(many.contributions).length).toBeGreaterThan(ROW_BYTES);
  const change: StateChange = { type: "contribute", by: guest, contribution: "y", contributionHtml: "y" };
  expect(refusal(many, change, 1)[0]).toBe("INVALID");
});

test("L-07 a ready mark toggles while awaiting, and the start clears it", () => {
  const ready = roomAfter(room(), { type: "set-ready", by: guest, isReady: true }, 0);
  expect(ready.participants.map((one) => one.isReady)).toEqual([false, false, true]);
  expect(roomAfter(ready, { type: "set-ready", by: guest, isReady: false }, 0).participants[2]?.isReady).toBe(
    false,
  );
  expect(roomAfter(ready, { type: "start", by: host }, 0).participants.some((one) => one.isReady)).toBe(
    false,
  );
});

test("S-06 R-13 a session starts once, even early, and never after its end", () => {
  expect(refusal(started(), { type: "start", by: host }, 1)).toEqual([
    "CONFLICT",
    "The session has started already.",
  ]);
  const ended = roomAfter(started(), { type: "end", by: host }, 2);
  for (const change of [
    { type: "start", by: host },
    { type: "end", by: host },
    { type: "complete", by: guest },
    { type: "set-ready", by: guest, isReady: true },
    { type: "control-part", by: host, partId: "a", action: "resume" },
    { type: "save-content", by: host, content: "x" },
    { type: "save-prompt", by: host, prompt: "x" },
  ] satisfies StateChange[])
    expect(refusal(ended, change, 3)).toEqual(["CONFLICT", "This session has ended."]);
  expect(statesText(ended.schedule)).toBe("a. 0-2");
});

test("S-07 a session that ended before its start never runs", () => {
  const ended = roomAfter(room({ startedAt: minute(60), endedAt: minute(75) }), { type: "end", by: host }, 0);
  expect(ended).toMatchObject({ startedAt: minute(0), endedAt: minute(0), runBegunAt: null });
  expect(statusAt(ended, minute(0))).toBe(2);
  expect(advanceRoom(ended, minute(100))).toEqual({ state: ended, topics: [] });
});

test("R-07 a reset session awaits its start and can run again", () => {
  const again = roomAfter(started(), { type: "reset", by: superAdmin }, 2);
  expect(again).toMatchObject({ startedAt: null, endedAt: null, runBegunAt: null, hasEnded: false });
  expect(statesText(again.schedule)).toBe("a ?");
  expect(statesText(roomAfter(again, { type: "start", by: host }, 10).schedule)).toBe("a> 10-15");
});

test("R-07 T-06 V-22 a reset leaves a part without a date, which may have no length, without one", () => {
  const undated = part("b", 0, { relativeStart: null, isUndated: true });
  const dated = room({
    startedAt: minute(0),
    isManuallyStarted: false,
    schedule: schedule([part("a", 5), undated]),
  });
  const again = roomAfter(advanceRoom(dated, minute(1)).state, { type: "reset", by: superAdmin }, 2);
  expect(partsInOrder(again.schedule)[1]).toMatchObject({ relativeStart: null, isUndated: true });
});

test("M-31 a closed chat is refused with the documented sentence", () => {
  expect(CHAT_CLOSED).toBe("Chat is active when the session is in progress.");
});

test("L-07 S-07 marking ready or done twice has the effect of once", () => {
  const topicsOf = (state: RoomState, change: StateChange, n: number) => {
    const outcome = applyChange(state, change, minute(n));
    return outcome.ok ? outcome.topics : outcome.sentence;
  };
  const ready = { type: "set-ready", by: guest, isReady: true } as const;
  const marked = roomAfter(room(), ready, 0);
  expect([topicsOf(room(), ready, 0), topicsOf(marked, ready, 0)]).toEqual([["participants"], []]);
  const done = { type: "complete", by: guest } as const;
  const live = started();
  const completed = roomAfter(live, done, 1);
  expect([topicsOf(live, done, 1), topicsOf(completed, done, 1)]).toEqual([["participants"], []]);
});

test("C-63 A-06 the people who run the session replace its plan until it is over, within the size limit", () => {
  const replacement = (by: RoomActor, next = schedule([part("z", 9)])): StateChange => ({
    type: "replace-schedule",
    by,
    schedule: next,
  });
  expect(may(room(), replacement, 0)).toEqual(["host", "admin", "super admin"]);
  expect(
    statesText(roomAfter(started(), replacement(host, schedule([part("a", 5), part("z", 9)])), 1).schedule),
  ).toBe("a> 0-5, z 5-14");
  expect(refusal(started(), replacement(host), 500)[0]).toBe("CONFLICT");
  const titles = Array.from({ length: 400 }, (_, i) => part(`p${i}`, 1, { title: "t".repeat(1600) }));
  expect(refusal(room(), replacement(host, schedule(titles)), 0)).toEqual(["INVALID", TOO_LARGE_A_PLAN]);
});

test("R-69 an edit is made as a whole or not at all, and each version is later than those before", () => {
  const first = roomAfter(started(), { type: "edit", by: host, content: "One", contentHtml: "" }, 1);
  const since = first.editedAt?.content ?? minute(0);
  expect(since).toBe(minute(1));
  // The clock has not moved on.
  const second = roomAfter(first, { type: "edit", by: host, since, content: "Two", facts: ["limit"] }, 1);
  expect([second.editedAt?.content, second.factsEditedAt]).toEqual([since + 1, { limit: since + 1 }]);
  const late = { type: "edit", by: host, since } as const;
  for (const [change, texts] of [
    [{ ...late, content: "Three", title: "New" }, [{ label: "Text", text: "Two" }]],
    [{ ...late, prompt: "Why?", facts: ["limit"] }, []],
  ] as const) {
    const outcome = applyChange(second, change, minute(1));
    expect(outcome).toMatchObject({ ok: false, code: "CONFLICT", newer: { updatedAt: since + 1, texts } });
  }
  // A repeat, and fields that nobody else changed.
  expect(roomAfter(second, { ...late, content: "Two" }, 1).editedAt).toEqual(second.editedAt);
  expect(roomAfter(second, { ...late, title: "New", facts: ["link"] }, 1)).toMatchObject({ title: "New" });
  expect(refusal(second, { ...late, title: "New", by: guest }, 1)[0]).toBe("FORBIDDEN");
  // This part lets admins write only the content.
  const open = started({ schedule: schedule([part("a", 5, { mayEditContent: true })]) });
  expect(refusal(open, { type: "edit", by: admin, content: "One", prompt: "Why?" }, 1)[0]).toBe("FORBIDDEN");
});

test("R-69 a plan from before a newer one that cannot be kept now is CONFLICT, and INVALID if it is the newest", () => {
  const dated = (c: number) =>
    schedule({ isLinked: false, parts: [part("a", 10), part("c", 5, absolute(c))] });
  const live = started({ schedule: dated(20) });
  const version = live.planEditedAt ?? minute(0);
  const moved = roomAfter(live, { type: "edit", by: host, since: version, schedule: dated(40) }, 1);
  const longer = roomAfter(moved, { type: "adjust-part", by: host, partId: "a", seconds: 900 }, 2);
  const stale = { type: "edit", by: host, schedule: dated(20) } as const;
  expect(applyChange(longer, { ...stale, since: version }, minute(3))).toMatchObject({
    ok: false,
    code: "CONFLICT",
    fields: ["schedule"],
    newer: { updatedAt: moved.planEditedAt },
  });
  expect(refusal(longer, { ...stale, since: moved.planEditedAt }, 3)[0]).toBe("INVALID");
});

test("L-12 a summary is stored if the session's texts leave space for it", () => {
  const summarised = (summary: string): StateChange => ({ type: "set-summary", summary });
  expect(roomAfter(room(), summarised("short"), 0).summary).toBe("short");
  expect(refusal(room(), summarised("a".repeat(ROW_BYTES + 1)), 0)[0]).toBe("INVALID");
});

test("R-16 only people with a seat chat, while the session is in progress", () => {
  const live = started();
  expect(chatPermission(live, guest, minute(1))).toMatchObject({ ok: true, seat: { username: "cid" } });
  expect(chatPermission(live, stranger, minute(1))).toMatchObject({ ok: false, code: "FORBIDDEN" });
  expect(chatPermission(room(), guest, minute(1))).toMatchObject({
    ok: false,
    code: "CONFLICT",
    sentence: CHAT_CLOSED,
  });
});

test("R-29 a plan that is replaced during the run catches up with it", () => {
  const waiting = room({ startedAt: minute(5) });
  const outcome = applyChange(
    waiting,
    { type: "replace-schedule", by: host, schedule: schedule([part("z", 9)]) },
    minute(1),
  );
  expect(outcome.ok && statesText(outcome.state.schedule)).toBe("z 5-14");
  const live = roomAfter(
    started(),
    { type: "replace-schedule", by: host, schedule: schedule([part("a", 2), part("z", 9)]) },
    1,
  );
  expect(statesText(live.schedule)).toBe("a> 0-5, z 5-14");
});

test("R-69 an edit's version is later than the record's, and a version from a client's clock raises none", () => {
  const recorded = instant(minute(1) + 5);
  const first = roomAfter(
    started(),
    { type: "edit", by: host, since: recorded, recorded, facts: ["limit"] },
    1,
  );
  expect(versionOf(first)).toBe(recorded + 1);
  const both = {
    type: "edit",
    by: host,
    since: recorded,
    recorded,
    facts: ["limit"],
    title: "New",
  } as const;
  expect(applyChange(first, both, minute(1))).toMatchObject({
    ok: false,
    code: "CONFLICT",
    fields: ["limit"],
  });
  const late = instant(Date.parse("2099-12-31T23:59:59.999Z"));
  const edits = { content: "One", facts: ["link"], schedule: schedule([part("a", 5), part("z", 9)]) };
  const next = roomAfter(first, { type: "edit", by: host, since: late, ...edits }, 2);
  expect(versionOf(next)).toBe(minute(2) + 1);
  expect(roomAfter(next, { ...both, since: versionOf(next) }, 2).title).toBe("New");
});
