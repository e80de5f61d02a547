// Merging the record with the room, also after the room has lost its storage.
import { describe, expect, test } from "vitest";
import { byHand, minute, part, schedule } from "~/domain/schedule/fixtures";
import { turnAt } from "~/domain/schedule/timer-pieces";
import { advanceRoom } from "./advance";
import { mutesInForce } from "./chat";
import { contribution, guest, host, person, room, roomAfter, started, stranger } from "./fixtures";
import { outsiderView } from "./outsider-view";
import { roomOfRecord, type SessionRecord, withRecord } from "./record";
import type { RoomMute, RoomState } from "./room";

describe("merging the record", () => {
  const recordOf = (state: RoomState): SessionRecord => ({
    ...state,
    joinCode: "",
    meetingLink: "",
    roomVersion: state.seq,
  });
  const seatsOf = (state: RoomState) => state.participants.map(({ isReady: _, ...seat }) => seat);
  const none = new Set<never>();

  test("L-05 the record's plan and texts apply until the run begins, then the room's", () => {
    const plan = schedule([part("z", 9)]);
    const record = { ...recordOf(room()), title: "Another", schedule: plan };
    const waiting = withRecord(room(), record, seatsOf(room()), none, minute(0));
    expect(waiting.state).toMatchObject({ title: "Another", schedule: plan });
    expect(waiting.topics).toEqual(["content", "summary", "parts"]);
    const live = started();
    expect(withRecord(live, record, seatsOf(live), none, minute(1))).toEqual({ state: live, topics: [] });
  });

  test("L-06 a change that the record does not have yet is not reverted by it", () => {
    const saved = roomAfter(room(), { type: "save-content", by: host, content: "new", contentHtml: "" }, 0);
    const stale = recordOf(room());
    const texts = new Set(["texts" as const]);
    expect(withRecord(saved, stale, seatsOf(saved), texts, minute(0)).state.content).toBe("new");
    expect(withRecord(saved, stale, seatsOf(saved), none, minute(0)).state.content).toBe("");
  });

  test("T-15 S-07 a leaver loses turns and marks, and a joiner is appended", () => {
    const state = started({ schedule: schedule([part("a", 2, { isPerParticipant: true })]) });
    const seats = [...seatsOf(state).slice(0, 1), person(stranger, { joinedAt: minute(1) })];
    const { state: next, topics } = withRecord(state, recordOf(state), seats, none, minute(1));
    const running = next.schedule.groups[0]?.parts[0];
    expect(running?.turns).toEqual(["ann", "zoe"]);
    expect(running && turnAt(running, minute(3))?.username).toBe("zoe");
    expect(topics).toEqual(["participants", "parts"]);
  });

  test("G-31 a session that stops asking for its host remembers that a host has come", () => {
    const asking = room({ needsHost: true, hasHostCome: true });
    const record = { ...recordOf(asking), needsHost: false };
    const { state } = withRecord(asking, record, seatsOf(asking), none, minute(0));
    expect(state).toMatchObject({ needsHost: false, hasHostCome: true });
  });

  test("L-05 a room that lost its storage restores the run from the record and continues", () => {
    const live = advanceRoom(started({ schedule: schedule([part("a", 5), part("b", 5)]) }), minute(6)).state;
    const again = roomOfRecord(7, recordOf(live), seatsOf(live), minute(6));
    expect(again.runBegunAt).toBe(minute(0));
    expect(advanceRoom(again, minute(6)).state.schedule).toEqual(live.schedule);
  });

  test("L-05 a plan with a future start has not begun, however often the room has saved it", () => {
    const ahead = room({ startedAt: minute(60), schedule: schedule({ ...byHand, parts: [part("a", 5)] }) });
    expect(roomOfRecord(7, { ...recordOf(ahead), roomVersion: 5 }, [], minute(0)).runBegunAt).toBeNull();
  });
});

describe("the record of a room that lost its storage", () => {
  const recordOf = (state: RoomState): SessionRecord => ({
    ...state,
    joinCode: "",
    meetingLink: "",
    roomVersion: state.seq,
  });
  const seatsOf = (state: RoomState) => state.participants.map(({ isReady: _, ...seat }) => seat);

  test("R-16 a join code hides the session from people without a seat", () => {
    expect(roomOfRecord(7, recordOf(room()), [], minute(0)).hasCode).toBe(false);
    expect(roomOfRecord(7, { ...recordOf(room()), joinCode: "lamp" }, [], minute(0)).hasCode).toBe(true);
    const changed = withRecord(
      room(),
      { ...recordOf(room()), joinCode: "lamp" },
      seatsOf(room()),
      new Set(),
      minute(0),
    );
    expect([changed.state.hasCode, changed.topics]).toEqual([true, ["access"]]);
  });

  test("Q-13 Q-16 of a hut's mute and the session's, in either order, the session's end leaves the hut's", () => {
    const { userId } = guest;
    const whole = { userId, until: null, endsWithSession: true } as const;
    const [early, late, lifted] = [minute(2), minute(9), null].map((until) => ({ userId, until }));
    const endsAt = (mutes: (RoomMute | undefined)[], at: number, endedAt: number) => {
      const record = { ...recordOf(room()), startedAt: minute(0), endedAt: minute(endedAt) };
      const sent = { ...record, mutes: mutes.flatMap((mute) => mute ?? []) };
      return mutesInForce(roomOfRecord(7, sent, [], minute(1)), minute(at)).map(({ until }) => until);
    };
    const table = [[whole], [whole, early], [whole, late], [whole, lifted], [early, late]] as const;
    for (const turned of [false, true])
      expect(
        table.map((row) => {
          const mutes = turned ? row.toReversed() : [...row];
          return [endsAt(mutes, 4, 15), endsAt(mutes, 4, 3)];
        }),
      ).toEqual([
        [[null], []],
        [[null], []],
        [[null], [minute(9)]],
        [[null], [null]],
        [[minute(9)], [minute(9)]],
      ]);
  });

  test("R-04 a record without an end ends after its duration, and without a start it has no end", () => {
    const started = { ...recordOf(room()), startedAt: minute(60) };
    expect(roomOfRecord(7, started, [], minute(0)).endedAt).toBe(minute(75));
    expect(roomOfRecord(7, { ...started, endedAt: minute(90) }, [], minute(0)).endedAt).toBe(minute(90));
    expect(roomOfRecord(7, recordOf(room()), [], minute(0)).endedAt).toBeNull();
  });

  test("L-06 seats follow the record's order, and equal seats change nothing", () => {
    const seats = seatsOf(room());
    expect(withRecord(room(), recordOf(room()), seats, new Set(), minute(0)).topics).toEqual([]);
    const turned = withRecord(room(), recordOf(room()), [...seats].reverse(), new Set(), minute(0));
    expect(turned.state.participants.map(({ username }) => username)).toEqual(["cid", "ben", "ann"]);
    expect(turned.topics).toContain("participants");
  });

  test("L-05 a plan saved with a future start has not begun", () => {
    const plannedStartAt = minute(60);
    const ahead = room({ startedAt: minute(60), schedule: schedule([part("a", 5, { plannedStartAt })]) });
    expect(roomOfRecord(7, recordOf(ahead), [], minute(59)).runBegunAt).toBeNull();
    expect(roomOfRecord(7, recordOf(ahead), [], minute(60)).runBegunAt).toBe(minute(60));
  });

  test("R-66 a room that lost its storage has the contributions of the record", () => {
    const contributions = [contribution(4, "Two")];
    expect(roomOfRecord(7, { ...recordOf(room()), contributions }, [], minute(0)).contributions).toEqual(
      contributions,
    );
  });

  test("L-05 new dates in the record change the status of a waiting room", () => {
    const record = { ...recordOf(room()), startedAt: minute(30), endedAt: minute(50) };
    const { state, topics } = withRecord(room(), record, seatsOf(room()), new Set(), minute(0));
    expect(state).toMatchObject({ startedAt: minute(30), endedAt: minute(50) });
    expect(topics).toContain("status");
  });

  test("R-15 a session that the record cancelled at the moment of its start is over", () => {
    const live = started();
    const record = { ...recordOf(live), endedAt: minute(0), closedAt: minute(0) };
    const { state, topics } = withRecord(live, record, seatsOf(live), new Set(), minute(0));
    expect(state).toMatchObject({ hasEnded: true, closedAt: minute(0) });
    expect(topics).toEqual(["status", "parts"]);
    expect(withRecord(state, record, seatsOf(state), new Set(), minute(1))).toEqual({ state, topics: [] });
    expect(withRecord(live, record, seatsOf(live), new Set(["run" as const]), minute(0)).topics).toEqual([]);
  });

  describe("T-15 taking turns", () => {
    const turns = () => started({ schedule: schedule([part("a", 6, { isPerParticipant: true })]) });
    const seat = (state: RoomState, seats: ReturnType<typeof seatsOf>) =>
      withRecord(state, recordOf(state), seats, new Set(), minute(1));
    const turnsOf = (state: RoomState) => state.schedule.groups[0]?.parts[0]?.turns;

    test("T-15 a change of role moves no turn", () => {
      const state = turns();
      const seats = seatsOf(state).map((one) =>
        one.username === "cid" ? { ...one, role: 1 as const } : one,
      );
      const { state: next, topics } = seat(state, seats);
      expect([topics, turnsOf(next)]).toEqual([["participants"], ["ann", "ben", "cid"]]);
    });

    test("T-15 a person who replaces another gets the last turn", () => {
      const state = turns();
      const seats = [...seatsOf(state).slice(0, 2), person(stranger, { joinedAt: minute(1) })];
      expect(turnsOf(seat(state, seats).state)).toEqual(["ann", "ben", "zoe"]);
    });

    test("T-15 R-04 a joiner's turn moves the end", () => {
      const state = turns();
      const { state: next, topics } = seat(state, [
        ...seatsOf(state),
        person(stranger, { joinedAt: minute(1) }),
      ]);
      expect(topics).toEqual(["participants", "parts", "status"]);
      expect((next.endedAt ?? 0) - (state.endedAt ?? 0)).toBe(6 * 60_000);
    });

    test("T-15 without turns a leaver changes only the participants", () => {
      const state = started();
      expect(seat(state, seatsOf(state).slice(0, 2)).topics).toEqual(["participants"]);
    });
  });

  test("R-16 people without a seat see names, texts and summary only without a join code", () => {
    const turns = [part("a", 2, { turns: ["ann", "ben"] })];
    const state = room({
      prompt: "p",
      summary: "s",
      content: "c",
      contentHtml: "<p>c</p>",
      schedule: schedule(turns),
    });
    expect(outsiderView(state)).toBe(state);
    const hidden = outsiderView({ ...state, hasCode: true });
    expect(hidden).toMatchObject({ content: "c", prompt: "", summary: "", participants: [] });
    expect(hidden.schedule.groups[0]?.parts[0]?.turns).toEqual(["Participant 1", "Participant 2"]);
    const contributions = [contribution(1, "Secret")];
    expect(outsiderView({ ...state, hasCode: true, contributions }).contributions).toEqual([]);
  });
});
