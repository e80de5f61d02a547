// Compares ten thousand random sessions with a plain model that ticks each second. The room stores only instants and
// never ticks; both must always agree.

import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySeed, runsOf, seedsOf } from "#tests/support/property-seed";
import { recapOf } from "~/domain/room/tally";
import { START, schedule } from "~/domain/schedule/fixtures";
import { newPart, partsInOrder } from "~/domain/schedule/shape";
import { timerAt } from "~/domain/schedule/timers";
import { statusAt } from "~/domain/sessions/status";
import { type Instant, plusSeconds, type Seconds, seconds } from "~/domain/time";
import { advanceRoom, nextDueAt } from "./advance";
import { applyChange } from "./change";
import { admin, guest, host, person, room, stranger } from "./fixtures";
import { arrive, depart, NOBODY_YET, type Presence } from "./presence";
import { type SeatRecord, type SessionRecord, withRecord } from "./record";
import type { RoomActor, RoomState, StateChange } from "./room";

const PEOPLE: RoomActor[] = [host, admin, guest, { userId: 4, username: "dee", isSuperAdmin: false }];
const ACTORS = [...PEOPLE, stranger];

type Step =
  | { do: "wait"; seconds: number }
  | { do: "part"; who: number; part: number; action: "start" | "pause" | "resume" | "finish" }
  | { do: "adjust"; who: number; part: number; seconds: number }
  | { do: "start" | "end" | "complete"; who: number }
  | { do: "ready"; who: number; isReady: boolean }
  | { do: "seat"; who: number; isIn: boolean }
  | { do: "here"; who: number; isHere: boolean }
  | { do: "crash" }
  | { do: "alarm" };

const who = fc.nat({ max: ACTORS.length - 1 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 120 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("part" as const),
      who: fc.constantFrom(0, 0, 0, 1, 2),
      part: fc.nat({ max: 4 }),
      action: fc.constantFrom("start" as const, "pause" as const, "resume" as const, "finish" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("adjust" as const),
      who: fc.constantFrom(0, 1, 2),
      part: fc.nat({ max: 4 }),
      seconds: fc.integer({ min: -90, max: 90 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("start" as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("end" as const), who: fc.constantFrom(1, 2, 4, 4, 4, 0) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("complete" as const), who: fc.constantFrom(0, 1, 2, 3, 4) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("ready" as const), who, isReady: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("seat" as const),
      who: fc.constantFrom(1, 2, 3),
      isIn: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("here" as const),
      who: fc.constantFrom(0, 1, 2, 3),
      isHere: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ do: "crash" as const }, { do: "alarm" as const }) },
);
const anyCourse = fc.record({
  spans: fc.array(fc.integer({ min: 5, max: 200 }), { minLength: 1, maxLength: 4 }),
  isAutoStart: fc.boolean(),
  duration: fc.integer({ min: 300, max: 600 }),
  startsIn: fc.option(fc.integer({ min: 1, max: 200 })),
  steps: fc.array(anyStep, { minLength: 1, maxLength: 24 }),
});
/** Runs with many pauses, because a recap counts them. */
const busyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: anyStep },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("part" as const),
      who: fc.constant(0),
      part: fc.nat({ max: 1 }),
      action: fc.constantFrom("start" as const, "pause" as const, "resume" as const, "resume" as const),
    }),
  },
);
const busyCourse = fc.record({
  spans: fc.array(fc.integer({ min: 5, max: 900 }), { minLength: 1, maxLength: 3 }),
  isAutoStart: fc.boolean(),
  duration: fc.integer({ min: 300, max: 1800 }),
  startsIn: fc.option(fc.integer({ min: 1, max: 200 })),
  steps: fc.array(busyStep, { minLength: 10, maxLength: 40 }),
});
type Course = typeof anyCourse extends fc.Arbitrary<infer T> ? T : never;

// ---------------------------------------------------------------- the model

type Timer = {
  left: number;
  state: "waiting" | "running" | "paused" | "finished";
  startedAt: number | null;
  endedAt: number | null;
  added: number;
  paused: number;
};

/** Marks of a person: instants at even places, the second between two instants at the odd place between them. */
type Marks = boolean[];

class Model {
  time = 0;
  timers: Timer[];
  startsAt: number | null;
  hasBegun = false;
  isOver = false;
  end = Number.POSITIVE_INFINITY;
  seats = new Set([1, 2, 3]);
  ready = new Set<number>();
  done = new Set<number>();
  /** The planned seconds of the timers, and the start and the end of the plan, as the run begins. */
  plan: { spans: number[]; end: number } | null = null;
  begunAt = 0;
  overAt = 0;
  here = new Set<number>();
  marks = new Map<number, Marks>();
  leavers = new Set<number>();

  constructor(readonly course: Course) {
    this.timers = course.spans.map((left) => ({
      left,
      state: "waiting",
      startedAt: null,
      endedAt: null,
      added: 0,
      paused: 0,
    }));
    this.startsAt = course.startsIn;
  }
  get status() {
    return this.isOver ? 2 : this.hasBegun ? 1 : 0;
  }

  wait(span: number) {
    for (let i = 0; i < span; i++) {
      this.time++;
      for (const id of this.here) this.mark(id, true);
      if (!this.hasBegun && !this.isOver && this.startsAt === this.time) this.begin();
      else this.tick();
    }
  }
  tick() {
    if (this.status !== 1) return;
    for (const timer of this.timers) {
      if (timer.state === "paused") timer.paused++;
      if (timer.state === "running" && --timer.left === 0) this.finish(timer);
    }
    this.goOn();
    if (this.time >= this.end && this.timers.every((timer) => timer.state === "finished")) this.close();
  }
  close() {
    if (!this.isOver) this.overAt = this.time;
    this.isOver = true;
  }
  run(timer: Timer) {
    Object.assign(timer, { state: "running", startedAt: this.time });
  }
  finish(timer: Timer) {
    Object.assign(timer, {
      state: "finished",
      startedAt: timer.startedAt ?? this.time,
      endedAt: this.time,
    });
  }
  mark(id: number, isSince: boolean) {
    const marks = this.marks.get(id) ?? [];
    marks[2 * this.time] = true;
    if (isSince) marks[2 * this.time - 1] = true;
    this.marks.set(id, marks);
  }
  begin() {
    this.begunAt = this.time;
    this.leavers.clear();
    this.hasBegun = true;
    this.ready.clear();
    this.end = this.time + this.course.duration;
    this.goOn();
    this.follow();
    this.plan = { spans: this.timers.map(({ left }) => left), end: this.end };
  }
  /** Auto-start parts start when nothing else is running or paused. */
  goOn() {
    if (!this.course.isAutoStart) return;
    if (this.timers.some((timer) => timer.state === "running" || timer.state === "paused")) return;
    const next = this.timers.find((timer) => timer.state === "waiting");
    if (next) this.run(next);
  }
  /** The end is never earlier than the end of all remaining parts. */
  follow() {
    const left = this.timers.reduce((sum, timer) => sum + (timer.state === "finished" ? 0 : timer.left), 0);
    if (left > 0) this.end = Math.max(this.end, this.time + left);
    else if (this.time >= this.end) this.close();
  }
  stop() {
    this.close();
    this.end = this.time;
    for (const timer of this.timers)
      if (timer.state === "running" || timer.state === "paused") this.finish(timer);
  }

  /** True if the room may accept the step; the model has then applied it. */
  take(step: Step): boolean {
    if (step.do === "wait") this.wait(step.seconds);
    if (!("who" in step)) return true;
    const id = ACTORS[step.who]?.userId ?? 0;
    const isIn = this.seats.has(id);
    const runs = isIn && (id === 1 || id === 2);
    switch (step.do) {
      case "start":
        if (!runs || this.status !== 0) return false;
        this.begin();
        return true;
      case "end":
        if (id !== 1 || this.isOver) return false;
        this.stop();
        return true;
      case "complete":
        if (!isIn || this.status !== 1) return false;
        this.done.add(id);
        // Without turns to lose, the end stays, also beside a paused timer (F-08).
        if ([...this.seats].every((seat) => this.done.has(seat))) this.stop();
        return true;
      case "ready":
        if (!isIn || this.isOver) return false;
        if (step.isReady) this.ready.add(id);
        else this.ready.delete(id);
        return true;
      case "seat":
        if (step.isIn === isIn) return true;
        for (const marks of [this.ready, this.done]) marks.delete(id);
        if (step.isIn) this.seats.add(id);
        else this.seats.delete(id);
        this.leavers.delete(id);
        if (!step.isIn) {
          this.here.delete(id);
          if (this.status === 1) this.leavers.add(id);
        }
        if (this.status === 1)
          if ([...this.seats].every((seat) => this.done.has(seat))) this.stop();
          else this.follow();
        return true;
      case "here":
        if (!isIn || step.isHere === this.here.has(id)) return true;
        this.mark(id, false);
        if (step.isHere) this.here.add(id);
        else this.here.delete(id);
        return true;
      case "adjust":
      case "part": {
        const timer = this.timers[step.part];
        if (!runs || this.status !== 1 || !timer) return false;
        const isDone =
          step.do === "adjust" ? this.adjust(timer, step.seconds) : this.move(timer, step.action);
        if (isDone) this.follow();
        return isDone;
      }
    }
  }
  adjust(timer: Timer, span: number): boolean {
    if (timer.state === "finished" || timer.left + span < 1) return false;
    timer.left += span;
    timer.added += span;
    return true;
  }
  move(timer: Timer, action: "start" | "pause" | "resume" | "finish"): boolean {
    const { state } = timer;
    if (action === "pause" && state === "running") timer.state = "paused";
    else if ((action === "resume" || action === "start") && state === "paused") timer.state = "running";
    else if (action === "finish" && (state === "running" || state === "paused")) {
      this.finish(timer);
      this.goOn();
    } else if (action === "start" && state === "waiting") {
      const before = this.timers.slice(0, this.timers.indexOf(timer));
      for (const other of this.timers)
        if (
          other.state === "running" ||
          other.state === "paused" ||
          (before.includes(other) && other.state === "waiting")
        )
          this.finish(other);
      this.run(timer);
    } else return false;
    return true;
  }

  /** The expected recap; null for a session that never ran. */
  recap() {
    const { plan, begunAt, overAt } = this;
    if (!plan || overAt <= begunAt) return null;
    return {
      plannedStart: this.startsAt,
      plannedEnd: plan.end + (this.startsAt === null ? 0 : this.startsAt - begunAt),
      startedAt: begunAt,
      endedAt: overAt,
      parts: this.timers.map(({ startedAt, endedAt, added, paused }, n) => ({
        planned: plan.spans[n],
        startedAt,
        endedAt,
        added,
        paused,
      })),
      people: [...new Set([...this.seats, ...this.leavers])]
        .sort()
        .map((id) => ({ userId: id, ...this.attendanceOf(id, begunAt, overAt) })),
    };
  }
  /** Counts marks; an absence of at most 90 seconds counts as presence. */
  attendanceOf(id: number, from: number, to: number) {
    const marks = [...(this.marks.get(id) ?? [])];
    let last = -1;
    for (let place = 0; place < marks.length; place++) {
      if (!marks[place]) continue;
      if (last >= 0 && place - last <= 180) marks.fill(true, last, place);
      last = place;
    }
    const within = (first: number, end: number) => marks.slice(2 * first, 2 * end + 1);
    const seconds = within(from, to).filter((isHere, place) => isHere && place % 2 === 1).length;
    const hasArrived = within(from, Math.min(to, from + 900)).some(Boolean);
    return { seconds, hasCome: hasArrived || 2 * seconds >= to - from };
  }
}

// ---------------------------------------------------------------- the room

class Live {
  state: RoomState;
  now: Instant = START;
  seats: SeatRecord[];
  readonly record: SessionRecord;
  presence = new Map<number, Presence>();
  gone = new Set<number>();

  constructor(course: Course) {
    const startedAt = course.startsIn === null ? null : plusSeconds(START, course.startsIn);
    const parts = course.spans.map((span, i) => newPart(`p${i}`, { duration: seconds(span) }));
    this.state = room({
      duration: course.duration as Seconds,
      isManuallyStarted: startedAt === null,
      startedAt,
      endedAt: startedAt && plusSeconds(startedAt, course.duration),
      schedule: schedule({ isAutoStart: course.isAutoStart, parts }),
    });
    this.seats = this.state.participants.map(({ isReady: _, ...seat }) => seat);
    this.record = { ...this.state, joinCode: "", meetingLink: "", roomVersion: 0 };
  }

  take(step: Step): boolean {
    if (step.do === "wait") this.now = plusSeconds(this.now, step.seconds);
    if (step.do === "crash") this.state = JSON.parse(JSON.stringify(this.state)) as RoomState;
    if (step.do === "alarm") {
      // An alarm on time, and a duplicate alarm.
      const due = nextDueAt(this.state, this.now);
      if (due !== null && due <= this.now) this.state = advanceRoom(this.state, due).state;
      this.state = advanceRoom(this.state, this.now).state;
    }
    if (!("who" in step)) {
      return true;
    }
    this.state = advanceRoom(this.state, this.now).state;
    const by = ACTORS[step.who] ?? stranger;
    if (step.do === "seat") {
      this.sit(by, step.isIn);
      return true;
    }
    if (step.do === "here") {
      const move = step.isHere ? arrive : depart;
      if (this.seats.some(({ userId }) => userId === by.userId))
        this.presence.set(by.userId, move(this.presenceOf(by.userId), this.now));
      return true;
    }
    const outcome = applyChange(this.state, changeOf(step, by), this.now);
    if (outcome.ok) this.state = outcome.state;
    return outcome.ok;
  }
  presenceOf(id: number): Presence {
    return this.presence.get(id) ?? NOBODY_YET;
  }
  sit(by: RoomActor, isIn: boolean) {
    const is = this.seats.some((seat) => seat.userId === by.userId);
    if (is === isIn) return;
    const { isReady: _, ...seat } = person(by, { role: by.userId === 2 ? 1 : 0, joinedAt: this.now });
    this.seats = isIn ? [...this.seats, seat] : this.seats.filter((one) => one.userId !== by.userId);
    const pending = new Set(["run" as const, "texts" as const]);
    if (isIn) this.gone.delete(by.userId);
    else {
      this.gone.add(by.userId);
      const left = depart(this.presenceOf(by.userId), this.now);
      const isLate = statusAt(this.state, this.now) === 1;
      this.presence.set(by.userId, isLate ? { ...left, leftAt: this.now } : left);
    }
    this.state = withRecord(this.state, this.record, this.seats, pending, this.now).state;
  }
}

function changeOf(
  step: Exclude<Step, { do: "wait" | "crash" | "alarm" | "seat" | "here" }>,
  by: RoomActor,
): StateChange {
  switch (step.do) {
    case "part":
      return { type: "control-part", by, partId: `p${step.part}`, action: step.action };
    case "adjust":
      return { type: "adjust-part", by, partId: `p${step.part}`, seconds: step.seconds };
    case "ready":
      return { type: "set-ready", by, isReady: step.isReady };
    default:
      return { type: step.do, by };
  }
}

/** The state of both at an instant. */
const ofModel = (model: Model) => ({
  status: model.status,
  timers: model.hasBegun
    ? model.timers.map(({ state, left }) => [state, state === "finished" ? 0 : left * 1000])
    : null,
  seats: [...model.seats].sort(),
  ready: [...model.ready].filter((id) => model.seats.has(id)).sort(),
  done: [...model.done].filter((id) => model.seats.has(id)).sort(),
});
const ofRoom = (live: Live) => {
  const { state } = advanceRoom(live.state, live.now);
  const ids = (fits: (one: (typeof state.participants)[number]) => boolean) =>
    state.participants
      .filter(fits)
      .map((one) => one.userId)
      .sort();
  return {
    status: statusAt(state, live.now),
    timers:
      state.runBegunAt === null
        ? null
        : partsInOrder(state.schedule).map((part) => [
            part.state,
            timerAt(part, live.now).remaining as number,
          ]),
    seats: ids(() => true),
    ready: ids((one) => one.isReady),
    done: ids((one) => one.completedAt !== null),
  };
};

test.each(seedsOf(20_261_121, 140_177_893))(
  "T-01 L-05 L-06 L-09 S-06 S-07 T-11 T-12 T-13 R-04 R-29 five thousand random sessions agree with a plain ticking model (seed %i)",
  (seed) => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        const model = new Model(course);
        const live = new Live(course);
        for (const step of course.steps) {
          const isTaken = live.take(step);
          expect(isTaken).toBe(model.take(step));
          expect(ofRoom(live)).toEqual(ofModel(model));
        }
      }),
      { numRuns: 5_000, seed },
    );
  },
  120_000,
);

/** The recap of the room, in seconds since START. */
function recapNow(live: Live) {
  const { state } = advanceRoom(live.state, live.now);
  const recap = recapOf(state, { presence: live.presence, gone: [...live.gone], lines: 0 });
  if (!recap) return null;
  const at = (instant: Instant | null) => (instant === null ? null : (instant - START) / 1000);
  return {
    plannedStart: at(recap.plannedStart),
    plannedEnd: at(recap.plannedEnd),
    startedAt: at(recap.startedAt),
    endedAt: at(recap.endedAt),
    parts: recap.parts.map(({ planned, startedAt, endedAt, added, paused }) => ({
      planned,
      startedAt: at(startedAt),
      endedAt: at(endedAt),
      added,
      paused: paused / 1000,
    })),
    people: recap.people.map((person) => ({ ...person })).sort((a, b) => a.userId - b.userId),
  };
}

test("G-24 G-26 G-32 the recaps of random runs equal a recomputation by a ticking model", () => {
  let recaps = 0;
  const wanted = runsOf(1_000, 200);
  const runs = fc.sample(busyCourse, { numRuns: wanted * 4, seed: propertySeed });
  for (const [n, course] of runs.entries()) {
    if (recaps === wanted) break;
    const model = new Model(course);
    const live = new Live(course);
    const steps: Step[] = [...course.steps, { do: "wait", seconds: 60 }, { do: "end", who: 0 }];
    for (const step of steps) expect(live.take(step)).toBe(model.take(step));
    const recap = recapNow(live);
    expect({ seed: propertySeed, n, recap }).toEqual({ seed: propertySeed, n, recap: model.recap() });
    if (recap) recaps++;
  }
  expect(recaps).toBe(wanted);
}, 120_000);
