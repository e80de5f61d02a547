// Compares drawn rounds with a plain model that counts down the seconds of each turn: people who are away, leave, are
// removed or new, +1m, pause, a restart of the room, next, pass, end and undo.
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySeed } from "#tests/support/property-seed";
import { part, START, schedule } from "~/domain/schedule/fixtures";
import { presenceBy } from "~/domain/schedule/round";
import { partsInOrder } from "~/domain/schedule/shape";
import { turnAt } from "~/domain/schedule/timer-pieces";
import { type Instant, plusSeconds, SECOND, seconds } from "~/domain/time";
import { advanceRoom, nextDueAt } from "./advance";
import { roomSeenBy } from "./aliases";
import { applyChange } from "./change";
import { person, room } from "./fixtures";
import { withRecord } from "./record";
import type { RoomActor, RoomState, StateChange } from "./room";

const NAMES = ["ann", "ben", "cid", "dee", "eve", "fay", "gus", "hal"];
const actor = (index: number): RoomActor => ({
  userId: index + 1,
  username: NAMES[index] ?? "",
  isSuperAdmin: false,
});
/** Seconds of a planned turn. */
const TURN = 60;

type Step =
  | { do: "wait"; seconds: number }
  | { do: "move"; who: number }
  | { do: "seat"; who: number }
  | { do: "next" | "pass" | "end-round" | "undo" | "more" | "less" | "pause" | "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 0, max: 90 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("move" as const), who: fc.nat(NAMES.length - 1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("seat" as const),
      who: fc.integer({ min: 1, max: NAMES.length - 1 }),
    }),
  },
  ...(
    [
      ["next", 4],
      ["pass", 2],
      ["undo", 3],
      ["more", 1],
      ["less", 1],
      ["pause", 1],
      ["restart", 1],
      ["end-round", 1],
    ] as const
  ).map(([name, weight]) => ({ weight, arbitrary: fc.record({ do: fc.constant(name) }) })),
);

// ---- the model

type Turn = { name: string; seconds: number };
/** `since`: when the turn began or went on; `left`: the seconds left of it then. */
type Model = {
  ahead: Turn[];
  speaker: Turn | null;
  left: number;
  done: string[];
  again: string[];
  missed: string[];
  pausedAt: number | null;
  begunAt: number;
};
type People = { seats: string[]; here: Map<string, { isHere: boolean; since: number }> };

const copyOf = (model: Model): Model => structuredClone(model);
const isHere = (people: People, name: string) => people.here.get(name)?.isHere ?? false;
const sinceOf = (people: People, name: string) => people.here.get(name)?.since ?? 0;
const all = (model: Model): string[] => [
  ...model.done,
  ...(model.speaker ? [model.speaker.name] : []),
  ...model.ahead.map(({ name }) => name),
];
function presenceCountsSince(model: Model, people: People): number | null {
  const arrivals = all(model)
    .filter((name) => isHere(people, name))
    .map((name) => sinceOf(people, name))
    .sort((a, b) => a - b);
  return arrivals[1] ?? null;
}

function begin(model: Model, now: number): void {
  model.speaker = model.ahead.shift() ?? null;
  model.left = model.speaker?.seconds ?? 0;
  model.begunAt = model.pausedAt ?? now;
}

function goOn(model: Model, people: People, now: number): void {
  const followed = presenceCountsSince(model, people) !== null;
  if (model.speaker) model.done.push(model.speaker.name);
  model.speaker = null;
  if (followed) {
    const isAway = ({ name }: Turn) => !isHere(people, name);
    const first = model.ahead.findIndex((turn) => !isAway(turn));
    const over = model.ahead.splice(0, first < 0 ? model.ahead.length : first);
    const second = over.filter(({ name }) => model.again.includes(name));
    const back = over.filter(({ name }) => !model.again.includes(name));
    if (first < 0) model.ahead.unshift(...second);
    else model.missed.push(...second.map(({ name }) => name));
    model.ahead.push(...back);
    model.again.push(...back.map(({ name }) => name));
  }
  begin(model, now);
}

function passAbsent(model: Model, now: number): void {
  const { speaker } = model;
  if (!speaker) return;
  model.speaker = null;
  if (model.again.includes(speaker.name)) model.missed.push(speaker.name);
  else {
    model.again.push(speaker.name);
    model.ahead.push({ name: speaker.name, seconds: TURN });
  }
  begin(model, now);
}

/** A second at a time. */
function tick(model: Model, people: People | null, from: number, to: number): void {
  for (let now = from; now <= to; now++) {
    if (now > from && model.pausedAt === null && model.speaker) model.left--;
    while (model.speaker && model.left <= 0) {
      model.done.push(model.speaker.name);
      begin(model, now);
    }
    for (let more = true; people && more && model.pausedAt === null && model.speaker; ) {
      const { name } = model.speaker;
      const followed = presenceCountsSince(model, people);
      const due =
        isHere(people, name) || followed === null
          ? Number.POSITIVE_INFINITY
          : Math.max(model.begunAt, sinceOf(people, name), followed) + 5;
      more = due <= now;
      if (more) passAbsent(model, now);
    }
  }
}

function follow(model: Model, people: People, now: number): void {
  const seats = new Set(people.seats);
  model.ahead = model.ahead.filter(({ name }) => seats.has(name));
  model.again = model.again.filter((name) => seats.has(name));
  model.missed = model.missed.filter((name) => seats.has(name));
  const known = new Set([...all(model), ...model.missed]);
  model.ahead.push(
    ...people.seats.filter((name) => !known.has(name)).map((name) => ({ name, seconds: TURN })),
  );
  if (model.speaker && !seats.has(model.speaker.name)) begin(model, now);
}

// ---- the room

const clock = (now: number): Instant => plusSeconds(START, now);
const roundOf = (state: RoomState) => partsInOrder(state.schedule)[0];

function begunRoom(size: number): RoomState {
  const people = NAMES.slice(0, size).map((_, index) =>
    person(actor(index), index === 0 ? { role: 1, isHost: true } : {}),
  );
  const state = room({
    participants: people,
    duration: seconds(36_000),
    schedule: schedule([part("r", TURN / 60, { isPerParticipant: true })]),
    isManuallyStarted: true,
  });
  const started = applyChange(state, { type: "start", by: actor(0) }, START);
  if (!started.ok) throw new Error(started.sentence);
  return started.state;
}

test(`R-83 T-15 R-61 in 1,000 drawn rounds the room and a model that counts seconds agree (seed ${propertySeed})`, () => {
  const seen = { passed: 0, undone: 0, missed: 0, ended: 0, joined: 0 };
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.array(step, { minLength: 5, maxLength: 40 }),
      (size, steps) => {
        let state = begunRoom(size);
        const people: People = {
          seats: NAMES.slice(0, size),
          here: new Map(NAMES.map((name) => [name, { isHere: true, since: 0 }])),
        };
        const model: Model = {
          ahead: people.seats.map((name) => ({ name, seconds: TURN })),
          speaker: null,
          left: 0,
          done: [],
          again: [],
          missed: [],
          pausedAt: null,
          begunAt: 0,
        };
        begin(model, 0);
        let undo: { model: Model; at: number } | null = null;
        let now = 0;
        const presence = presenceBy((name) => ({
          isHere: isHere(people, name),
          since: clock(sinceOf(people, name)),
        }));
        const look = () => {
          state = advanceRoom(state, clock(now), presence).state;
        };
        const change = (asked: StateChange): boolean => {
          look();
          const outcome = applyChange(state, asked, clock(now), presence);
          if (outcome.ok) state = outcome.state;
          return outcome.ok;
        };
        const roundMove = (by: number, move: "next" | "pass" | "end-round" | "undo") =>
          change({ type: "move-round", by: actor(by), partId: "r", move });
        for (const one of steps) {
          const isOver = model.speaker === null;
          switch (one.do) {
            case "wait": {
              const until = now + one.seconds;
              // The alarm rings at each due instant, as in a room.
              for (let due = nextDueAt(state, clock(now), presence); due !== null && due <= clock(until); ) {
                state = advanceRoom(state, due, presence).state;
                const next = nextDueAt(state, due, presence);
                due = next !== null && next > due ? next : null;
              }
              tick(model, people, now, until);
              now = until;
              look();
              break;
            }
            case "move": {
              const name = NAMES[one.who] ?? "";
              people.here.set(name, { isHere: !isHere(people, name), since: now });
              look();
              tick(model, people, now, now);
              break;
            }
            case "seat": {
              const name = NAMES[one.who] ?? "";
              const isIn = people.seats.includes(name);
              people.seats = isIn ? people.seats.filter((other) => other !== name) : [...people.seats, name];
              look();
              const seats = people.seats.map((other) => {
                const index = NAMES.indexOf(other);
                const before = state.participants.find(({ username }) => username === other);
                return before ?? person(actor(index), { joinedAt: clock(now) });
              });
              const record = {
                ...state,
                joinCode: "",
                meetingLink: "",
                isPrivate: false,
                roomVersion: 0,
                mutes: [],
                closedAt: null,
              } as unknown as Parameters<typeof withRecord>[1];
              state = withRecord(state, record, seats, new Set(), clock(now)).state;
              if (!isOver) follow(model, people, now);
              if (!isIn) seen.joined++;
              tick(model, people, now, now);
              look();
              break;
            }
            case "next": {
              const before = copyOf(model);
              const isDone = roundMove(0, "next");
              expect(isDone).toBe(!isOver);
              if (isOver) break;
              goOn(model, people, now);
              undo = { model: before, at: now };
              tick(model, people, now, now);
              look();
              break;
            }
            case "pass": {
              const index = NAMES.indexOf(model.speaker?.name ?? NAMES[1] ?? "");
              const isSeated = people.seats.includes(NAMES[index] ?? "");
              expect(roundMove(index, "pass")).toBe(!isOver && isSeated);
              if (isOver) break;
              goOn(model, people, now);
              undo = null;
              tick(model, people, now, now);
              look();
              break;
            }
            case "end-round": {
              const before = copyOf(model);
              expect(roundMove(0, "end-round")).toBe(!isOver);
              if (isOver) break;
              model.speaker = null;
              model.ahead = [];
              undo = { model: before, at: now };
              seen.ended++;
              break;
            }
            case "undo": {
              const isOpen = undo !== null && now <= undo.at + 10;
              expect(roundMove(0, "undo")).toBe(isOpen);
              if (!isOpen || undo === null) break;
              Object.assign(model, undo.model);
              tick(model, null, undo.at, now);
              if (model.speaker) follow(model, people, now);
              undo = null;
              seen.undone++;
              tick(model, people, now, now);
              look();
              break;
            }
            case "more":
            case "less": {
              const span = one.do === "more" ? 60 : -20;
              const isDone = change({ type: "adjust-part", by: actor(0), partId: "r", seconds: span });
              expect(isDone).toBe(!isOver);
              if (isOver || !model.speaker) break;
              model.left = Math.max(0, model.left + span);
              undo = null;
              tick(model, people, now, now);
              look();
              break;
            }
            case "pause": {
              if (isOver) break;
              const action = model.pausedAt === null ? "pause" : "resume";
              expect(change({ type: "control-part", by: actor(0), partId: "r", action })).toBe(true);
              if (model.pausedAt !== null) model.begunAt += now - model.pausedAt;
              model.pausedAt = model.pausedAt === null ? now : null;
              undo = null;
              tick(model, people, now, now);
              look();
              break;
            }
            case "restart": {
              state = JSON.parse(JSON.stringify(state)) as RoomState;
              for (const name of NAMES) people.here.set(name, { isHere: false, since: now });
              break;
            }
            default:
              one satisfies never;
          }
          const round = roundOf(state);
          const turn = round && turnAt(round, clock(now));
          expect(turn?.username ?? null).toBe(model.speaker?.name ?? null);
          seen.missed += model.missed.length > 0 ? 1 : 0;
          seen.passed += model.again.length > 0 ? 1 : 0;
          if (!round || !turn || !model.speaker) {
            expect(round?.state).toBe("finished");
            continue;
          }
          expect(turn.remaining / SECOND).toBe(model.left);
          expect(round.turns.slice(turn.index + 1)).toEqual(model.ahead.map(({ name }) => name));
          const ahead = model.ahead.reduce((sum, one) => sum + one.seconds, 0);
          const end = (round.pausedAt ?? clock(now)) + (model.left + ahead) * SECOND;
          expect(round.endedAt).toBe(end);
          // A viewer who may not know somebody sees the same round.
          const hidden = { ids: new Set([2]), names: new Set(["ben"]) } as never;
          const view = roundOf(roomSeenBy(state, hidden));
          expect(JSON.stringify(view)).not.toContain('"ben"');
          expect(view && turnAt(view, clock(now))?.remaining).toBe(turn.remaining);
        }
      },
    ),
    { numRuns: 1000 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
}, 120_000);
