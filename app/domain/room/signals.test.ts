import { describe, expect, test } from "vitest";
import { minute, part, schedule } from "~/domain/schedule/fixtures";
import { type Instant, instant, SECOND } from "~/domain/time";
import { advanceRoom } from "./advance";
import { applyChange } from "./change";
import { admin, guest, host, refusal, room, roomAfter, stranger, superAdmin } from "./fixtures";
import { withRecord } from "./record";
import type { RoomActor, RoomState } from "./room";
import { handsIn, handWords, reactionRefusal, settleHands } from "./signals";

const running = (over: Partial<RoomState> = {}): RoomState =>
  advanceRoom(room({ startedAt: minute(0), ...over }), minute(0)).state;
const raise = (state: RoomState, by: RoomActor, n: number) =>
  roomAfter(state, { type: "set-hand", by, isUp: true }, n);
const lower = (state: RoomState, by: RoomActor, n: number) =>
  roomAfter(state, { type: "set-hand", by, isUp: false }, n);
/** The names in line. */
const line = (state: RoomState): string[] =>
  handsIn(
    state.participants.map((person) => ({ username: person.username, hand: person.hand?.place ?? null })),
  ).map(({ username }) => username);
/** As the room's memory does: each change has the next number. */
const committed = (state: RoomState): RoomState => ({ ...state, seq: state.seq + 1 });
const inLine = (...people: RoomActor[]) =>
  people.reduce((state, by) => committed(raise(state, by, 1)), running());
const turns = (over: Partial<RoomState> = {}) =>
  running({ schedule: schedule([part("a", 2, { isPerParticipant: true }), part("b", 5)]), ...over });

describe("J-05 the line of hands", () => {
  test("J-05 is in the order in which they went up", () => {
    expect(line(inLine(guest, host, admin))).toEqual(["cid", "ann", "ben"]);
  });
  test("J-05 keeps a hand that is raised twice, and puts one raised again at the end", () => {
    const state = inLine(guest, host, admin);
    expect(line(raise(state, guest, 2))).toEqual(["cid", "ann", "ben"]);
    expect(line(raise(committed(lower(state, guest, 2)), guest, 2))).toEqual(["ann", "ben", "cid"]);
  });
  test("J-05 is for people with a seat, while the session runs", () => {
    expect(refusal(running(), { type: "set-hand", by: stranger, isUp: true }, 1)[0]).toBe("FORBIDDEN");
    expect(refusal(room(), { type: "set-hand", by: guest, isUp: true }, -5)[0]).toBe("CONFLICT");
    expect(line(advanceRoom(inLine(guest, host), minute(30)).state)).toEqual([]);
  });
  test("J-05 host and admins lower one or all, nobody else does, not even a super admin without a seat", () => {
    const state = inLine(guest, host);
    const one = (by: RoomActor) => ({ type: "lower-hands" as const, by, username: "cid" });
    expect(line(roomAfter(state, one(admin), 2))).toEqual(["ann"]);
    expect(line(roomAfter(state, { type: "lower-hands", by: host, username: null }, 2))).toEqual([]);
    for (const by of [guest, stranger, superAdmin]) expect(refusal(state, one(by), 2)[0]).toBe("FORBIDDEN");
  });
  test("Q-12 J-05 a hand of a hidden person is lowered by its handle", () => {
    const before = inLine(guest, host);
    const participants = before.participants.map((person) =>
      person.userId === guest.userId ? { ...person, handle: "~c" } : person,
    );
    const state = { ...before, participants };
    expect(line(roomAfter(state, { type: "lower-hands", by: host, username: "~c" }, 2))).toEqual(["ann"]);
  });
  test("J-05 the beginning of one's own turn lowers it", () => {
    // Turns of two minutes: ann from 0, ben from 2, cid from 4.
    const state = raise(committed(raise(turns(), guest, 1)), admin, 1);
    expect(line(advanceRoom(state, minute(1.9)).state)).toEqual(["cid", "ben"]);
    expect(line(advanceRoom(state, minute(2)).state)).toEqual(["cid"]);
    expect(line(advanceRoom(state, minute(4)).state)).toEqual([]);
  });
  test("L-09 J-05 a late alarm lowers the hands of turns that are over, in a part that is over too", () => {
    const state = raise(committed(raise(turns(), guest, 1)), admin, 1);
    expect(line(advanceRoom(state, minute(5)).state)).toEqual([]);
    expect(line(advanceRoom(state, minute(8)).state)).toEqual([]);
  });
  test("J-05 a hand raised after one's turn stays, over a pause and the end of the part", () => {
    const state = raise(turns(), host, 2.5);
    const paused = roomAfter(state, { type: "control-part", by: host, partId: "a", action: "pause" }, 3);
    const resumed = roomAfter(paused, { type: "control-part", by: host, partId: "a", action: "resume" }, 20);
    expect(line(advanceRoom(resumed, minute(22)).state)).toEqual(["ann"]);
    expect(line(advanceRoom(resumed, minute(24)).state)).toEqual(["ann"]);
    expect(line(advanceRoom(raise(turns(), host, 2.5), minute(7)).state)).toEqual(["ann"]);
  });
  test("J-05 a hand raised after one's turn goes down with the turn that comes once the part begins again", () => {
    let state = raise(turns(), admin, 4.5);
    state = roomAfter(state, { type: "control-part", by: host, partId: "a", action: "reset" }, 5);
    expect(line(state)).toEqual(["ben"]);
    state = roomAfter(state, { type: "control-part", by: host, partId: "a", action: "start" }, 6);
    expect(line(state)).toEqual(["ben"]);
    // From 8 to 10 it is ben's turn, and the alarm comes after it.
    expect(line(advanceRoom(state, minute(10.5)).state)).toEqual([]);
  });
  test("J-05 a turn that is taken back lowers the hand that went up after it", () => {
    const state = raise(turns(), host, 2.5);
    expect(line(settleHands(state, minute(2.6)))).toEqual(["ann"]);
    expect(line(settleHands(state, minute(1)))).toEqual([]);
  });
  test("J-05 nobody raises a hand while it is their turn", () => {
    expect(refusal(turns(), { type: "set-hand", by: host, isUp: true }, 1)[0]).toBe("CONFLICT");
    expect(refusal(turns(), { type: "set-hand", by: admin, isUp: true }, 1)[0]).toBe("OK");
  });
  test("J-05 J-07 a mute and a lost seat lower it, and a muted person raises none", () => {
    const state = inLine(guest, admin, host);
    const { title, content, contentHtml, summary, prompt, contributions, schedule: plan } = state;
    const record = {
      ...{ title, content, contentHtml, summary, prompt, contributions, schedule: plan },
      ...{
        joinCode: "",
        meetingLink: "",
        isPrivate: false,
        slowMode: 0,
        needsHost: false,
        isManuallyStarted: false,
      },
      ...{ startedAt: state.startedAt, endedAt: state.endedAt, duration: state.duration },
      ...{ closedAt: null, roomVersion: 0, mutes: [{ userId: guest.userId, until: null }] },
    };
    const seats = state.participants.filter(({ userId }) => userId !== admin.userId);
    const { state: after, topics } = withRecord(state, record, seats, new Set(), minute(2));
    expect(line(after)).toEqual(["ann"]);
    expect(topics).toContain("participants");
    expect(refusal(after, { type: "set-hand", by: guest, isUp: true }, 2)[0]).toBe("FORBIDDEN");
  });
  test("J-07 it is said in words", () => {
    expect(handWords(2)).toBe("Hand up, third in line");
    expect(handWords(10)).toBe("Hand up, number 11 in line");
  });
});

describe("J-06 reactions", () => {
  const at = instant(minute(1) + SECOND) as Instant;
  const codeOf = (state: RoomState, by: RoomActor) => reactionRefusal(state, by, at)?.code ?? "OK";
  test("J-06 are for people with a seat, while the session runs", () => {
    expect(codeOf(running(), guest)).toBe("OK");
    expect(codeOf(running(), stranger)).toBe("FORBIDDEN");
    expect(codeOf(room(), guest)).toBe("CONFLICT");
  });
  test("J-07 a muted person has none", () => {
    expect(codeOf(running({ mutes: [{ userId: guest.userId, until: null }] }), guest)).toBe("FORBIDDEN");
  });
  test("R-41 J-06 rest in focus parts, but for host and admins", () => {
    const focus = running({ schedule: schedule([part("a", 5, { isFocus: true })]) });
    expect(codeOf(focus, guest)).toBe("CONFLICT");
    expect([codeOf(focus, host), codeOf(focus, admin)]).toEqual(["OK", "OK"]);
  });
  test("J-06 host and admins switch them off for everybody, and on", () => {
    const off = roomAfter(running(), { type: "switch-reactions", by: admin, isOn: false }, 1);
    expect([codeOf(off, guest), codeOf(off, host)]).toEqual(["CONFLICT", "CONFLICT"]);
    expect(codeOf(roomAfter(off, { type: "switch-reactions", by: host, isOn: true }, 1), guest)).toBe("OK");
    expect(refusal(running(), { type: "switch-reactions", by: guest, isOn: false }, 1)[0]).toBe("FORBIDDEN");
  });
});

test("J-12 a line that ended with its part does not come back when the host resets the part, and another line stays", () => {
  const line = { seq: 1, userId: host.userId, content: "Back at ten", partId: "a" };
  const two = { schedule: schedule([part("a", 5), part("b", 5)]) };
  const live = running({ ...two, line });
  const control = (action: "pause" | "reset", partId: string) =>
    ({ type: "control-part", by: host, partId, action }) as const;
  expect(roomAfter(live, control("pause", "a"), 1).line).toBe(line);
  const over = advanceRoom(live, minute(6)).state;
  const outcome = applyChange(over, control("reset", "a"), minute(6));
  expect(outcome).toMatchObject({ ok: true, state: { line: null } });
  expect(outcome).toHaveProperty("topics", expect.arrayContaining(["parts", "line"]));
  expect(
    roomAfter({ ...over, line: { ...line, partId: "b" } }, control("reset", "a"), 6).line,
  ).not.toBeNull();
});
