// The tally of a run where no random run of room/room.model.test.ts comes: parts that are reset, and the last person who leaves.
import { expect, test } from "vitest";
import { admin, guest, host, inMinutes, room, roomAfter } from "~/domain/room/fixtures";
import { NOBODY_YET } from "~/domain/room/presence";
import { withRecord } from "~/domain/room/record";
import type { RoomState } from "~/domain/room/room";
import { recapOf } from "~/domain/room/tally";
import { minute, part, schedule } from "~/domain/schedule/fixtures";

const running = () => roomAfter(room({ isManuallyStarted: true }), { type: "start", by: host }, 0);
const control = (action: "start" | "pause" | "resume" | "finish" | "reset") =>
  ({ type: "control-part", by: host, partId: "a", action }) as const;
const partOf = (state: RoomState) => {
  const part = recapOf(state, { presence: new Map([[1, NOBODY_YET]]), gone: [], lines: 0 })?.parts[0];
  if (!part) throw new Error("no recap");
  return { from: inMinutes(part.startedAt), to: inMinutes(part.endedAt), paused: part.paused / 60_000 };
};

type Step = [action: Parameters<typeof control>[0] | "end", minute: number];
const after = (...steps: Step[]) =>
  steps.reduce(
    (state, [action, at]) =>
      roomAfter(state, action === "end" ? { type: "end", by: host } : control(action), at),
    running(),
  );

test("G-32 a part that is reset and runs again shows its last start, and all its pauses", () => {
  const state = after(["pause", 1], ["resume", 3], ["reset", 4], ["start", 6], ["end", 8]);
  expect(partOf(state)).toEqual({ from: 6, to: 8, paused: 2 });
});

test("G-32 a part that is finished in its pause, is reset and runs again shows its last end", () => {
  const state = after(["pause", 1], ["finish", 2], ["reset", 3], ["start", 4], ["end", 6]);
  expect(partOf(state)).toEqual({ from: 4, to: 6, paused: 1 });
});

test("G-32 a part that is removed during the run leaves the recap", () => {
  const given = room({ isManuallyStarted: true, schedule: schedule([part("a", 5), part("b", 5)]) });
  let state = roomAfter(given, { type: "start", by: host }, 0);
  state = roomAfter(state, { type: "replace-schedule", by: host, schedule: schedule([part("a", 5)]) }, 1);
  state = roomAfter(state, { type: "end", by: host }, 2);
  const recap = recapOf(state, { presence: new Map([[1, NOBODY_YET]]), gone: [], lines: 0 });
  expect(recap?.parts).toHaveLength(1);
});

test("G-32 a pause that ends with the session counts, whether the host ends it or the last person leaves", () => {
  let state = roomAfter(running(), control("pause"), 2);
  expect(partOf(roomAfter(state, { type: "end", by: host }, 7))).toEqual({ from: 0, to: 7, paused: 5 });
  for (const by of [host, admin]) state = roomAfter(state, { type: "complete", by }, 3);
  const seats = state.participants
    .filter(({ userId }) => userId !== guest.userId)
    .map(({ isReady: _, ...seat }) => seat);
  const record = { ...state, joinCode: "", meetingLink: "", roomVersion: 0 };
  const left = withRecord(state, record, seats, new Set(["run", "texts"]), minute(9));
  expect(partOf(left.state)).toEqual({ from: 0, to: 9, paused: 7 });
});
