// The size of the largest plan and the largest roster, in stored bytes and in sent bytes.
import { expect, test } from "vitest";
import type { RoomParticipant, RoomState } from "~/domain/room/room";
import { bytesOf } from "~/domain/row-size";
import { emptySchedule, type Schedule } from "~/domain/schedule/schedule";
import { fitsPlan, PLAN_BYTES } from "~/domain/schedule/size";
import { instant, seconds } from "~/domain/time";
import { operationsOf, participantOut, snapshotOut } from "~/wire/room/operations";
import { fullPlan, planOf } from "./support/full-plan";

const NOW = instant(Date.UTC(2026, 10, 21));
const PEOPLE = 10_000;

const person = (n: number): RoomParticipant => ({
  userId: n,
  username: `somebody-with-a-name-${n}`.slice(0, 30),
  role: 0,
  isHost: n === 0,
  joinedAt: NOW,
  isReady: false,
  completedAt: null,
});
const roomOf = (schedule: Schedule, people: number): RoomState => ({
  sessionId: 1,
  seq: 1,
  title: "A session",
  content: "",
  contentHtml: "",
  summary: "",
  prompt: "",
  contributions: [],
  hasCode: false,
  isPrivate: false,
  slowMode: 0,
  mutes: [],
  isManuallyStarted: true,
  needsHost: false,
  startedAt: null,
  endedAt: null,
  runBegunAt: null,
  hasEnded: false,
  duration: seconds(3600),
  closedAt: null,
  schedule,
  participants: Array.from({ length: people }, (_, n) => person(n)),
});
const weigh = (value: unknown): number => bytesOf(JSON.stringify(value));

test("E-07 R-35 490 parts with 100 intervals each are refused, and the largest plan is bounded in its row and on the wire", () => {
  expect(fitsPlan(planOf(490, 100))).toBe(false);
  const plan = fullPlan();
  const sent = weigh(snapshotOut(roomOf(plan, 1), NOW));
  expect(weigh(plan)).toBeLessThanOrEqual(PLAN_BYTES);
  expect(sent).toBeLessThanOrEqual(800_000);
});

test("L-03 R-26 a roster of 10,000 people stays under 1.5 MB, and a join sends only the new person", () => {
  const before = roomOf(emptySchedule(), PEOPLE);
  const roster = weigh(before.participants.map(participantOut));
  const joined = { ...before, seq: 2, participants: [...before.participants, person(PEOPLE)] };
  const join = weigh(operationsOf(["participants"], before, joined, NOW));
  expect(roster).toBeLessThanOrEqual(1_500_000);
  expect(join).toBeLessThanOrEqual(300);
});
