// The part during which chat rests: pauses, added time, turns, overlaps, and parts that the host starts.
import { expect, test } from "vitest";
import {
  accepted,
  byHand,
  context,
  minute,
  part,
  schedule,
  startedSchedule,
} from "~/domain/schedule/fixtures";
import { adjustPart, pausePart, resumePart } from "~/domain/schedule/run";
import type { Schedule } from "~/domain/schedule/shape";
import { chatPermission, editRefusal } from "./chat";
import { admin, guest, host, inMinutes, person, room, roomAfter, superAdmin } from "./fixtures";
import { focusAt } from "./focus";

const focus = { isFocus: true };
const ROSTER = ["ann", "ben"];
const people = [host, admin].map((actor) => person(actor));
/** "title 15": the focus part that runs at minute `n`, and the minute of its end. */
const at = (plan: Schedule, n: number, participants = people): string | null => {
  const found = focusAt({ schedule: plan, participants }, minute(n));
  return found && `${found.title} ${inMinutes(found.endsAt)}`;
};
const during = (plan: Schedule, ...minutes: number[]) => minutes.map((n) => at(plan, n));

test("Q-24 a focus part rests chat from its start until its end, and without a title goes by its number", () => {
  const plan = startedSchedule(
    schedule([part("a", 5), part("b", 10, focus), part("c", 5, { ...focus, title: "Deep" })]),
  );
  expect(during(plan, 0, 4.99, 5, 14.99, 15, 19.99, 20)).toEqual([
    null,
    null,
    "Timer 2 15",
    "Timer 2 15",
    "Deep 20",
    "Deep 20",
    null,
  ]);
});

test("Q-24 a paused focus part lets people chat, and ends later by its pause", () => {
  const plan = startedSchedule(schedule([part("a", 10, focus)]));
  const paused = accepted(pausePart(plan, "a", context(4)));
  expect(during(paused, 4, 30)).toEqual([null, null]);
  const again = accepted(resumePart(paused, "a", context(30)));
  expect(during(again, 30, 35.99, 36)).toEqual(["Timer 1 36", "Timer 1 36", null]);
});

test("Q-24 added time delays the end of a focus part", () => {
  const plan = startedSchedule(schedule([part("a", 10, focus)]));
  const longer = accepted(adjustPart(plan, "a", 300, context(9)));
  expect(during(longer, 9, 14.99, 15)).toEqual(["Timer 1 15", "Timer 1 15", null]);
});

test("Q-24 a focus part with turns ends after the last turn", () => {
  const plan = startedSchedule(
    schedule([part("a", 1), part("b", 5, { ...focus, isPerParticipant: true })]),
    0,
    ROSTER,
  );
  expect(during(plan, 0.5, 1, 10.99, 11)).toEqual([null, "Timer 2 11", "Timer 2 11", null]);
});

test("Q-24 a focus part that waits for the host does not rest chat", () => {
  const plan = startedSchedule(schedule([part("a", 5)], { ...byHand, parts: [part("b", 5, focus)] }));
  expect(during(plan, 3, 8, 600)).toEqual([null, null, null]);
});

test("Q-24 of two focus parts at once, chat rests until the later end", () => {
  const plan = startedSchedule(
    schedule([part("long", 20, { ...focus, title: "Long" })], {
      isLinked: false,
      parts: [
        part("late", 10, { ...focus, relativeStart: { startOf: "before-previous-ends", timeFrom: 300 } }),
      ],
    }),
  );
  expect(during(plan, 4, 15, 20, 25)).toEqual(["Long 20", "Timer 2 25", "Timer 2 25", null]);
});

test("Q-24 while a focus part runs only host, admins and super admins write and edit lines", () => {
  const seats = [...room().participants, person(superAdmin)];
  const plan = schedule([part("a", 5, { ...focus, title: "Deep work" }), part("b", 5)]);
  const live = roomAfter(room({ schedule: plan, participants: seats }), { type: "start", by: host }, 0);
  const refusal = { code: "CONFLICT", sentence: "Chat rests while Deep work runs." };
  expect(chatPermission(live, guest, minute(4.99))).toEqual({ ok: false, ...refusal });
  for (const by of [host, admin, superAdmin]) expect(chatPermission(live, by, minute(4.99)).ok).toBe(true);
  const line = { userId: guest.userId, createdAt: minute(0), isRemoved: false };
  expect(editRefusal(live, guest, line, minute(4.9))).toEqual(refusal);
  expect(chatPermission(live, guest, minute(5)).ok).toBe(true);
  expect(
    chatPermission({ ...live, mutes: [{ userId: guest.userId, until: null }] }, guest, minute(1)),
  ).toMatchObject({
    code: "FORBIDDEN",
  });
});
