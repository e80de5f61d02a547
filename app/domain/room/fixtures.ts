// Test fixtures for rooms. Ann is the host, Ben an admin, Cid a participant.

import { minute, part, START, schedule } from "~/domain/schedule/fixtures";
import { type Instant, MINUTE, plusSeconds, seconds } from "~/domain/time";
import { advanceRoom } from "./advance";
import { applyChange } from "./change";
import type { RoomActor, RoomParticipant, RoomState, StateChange } from "./room";

export const host: RoomActor = { userId: 1, username: "ann", isSuperAdmin: false };
export const admin: RoomActor = { userId: 2, username: "ben", isSuperAdmin: false };
export const guest: RoomActor = { userId: 3, username: "cid", isSuperAdmin: false };
export const stranger: RoomActor = { userId: 9, username: "zoe", isSuperAdmin: false };
export const superAdmin: RoomActor = { userId: 10, username: "root", isSuperAdmin: true };

export const person = (actor: RoomActor, overrides: Partial<RoomParticipant> = {}): RoomParticipant => ({
  userId: actor.userId,
  username: actor.username,
  role: 0,
  isHost: false,
  joinedAt: plusSeconds(START, actor.userId - 1000),
  isReady: false,
  completedAt: null,
  ...overrides,
});

/** A room that waits for its start, with one part of five minutes, and with other values in `overrides`. */
export const room = (overrides: Partial<RoomState> = {}): RoomState => ({
  sessionId: 7,
  seq: 0,
  title: "A walk",
  content: "",
  contentHtml: "",
  summary: "",
  prompt: "",
  contributions: [],
  hasCode: false,
  isPrivate: false,
  slowMode: 0,
  mutes: [],
  isManuallyStarted: false,
  needsHost: false,
  startedAt: null,
  endedAt: null,
  runBegunAt: null,
  hasEnded: false,
  duration: seconds(900),
  closedAt: null,
  schedule: schedule([part("a", 5)]),
  participants: [person(host, { role: 1, isHost: true }), person(admin, { role: 1 }), person(guest)],
  ...overrides,
});

/** The room after an accepted change, `minutes` after the start. */
export function roomAfter(state: RoomState, change: StateChange, minutes: number): RoomState {
  const outcome = applyChange(advanceRoom(state, minute(minutes)).state, change, minute(minutes));
  if (!outcome.ok) throw new Error(`refused: ${outcome.sentence}`);
  return outcome.state;
}
/** The code and sentence of a refused change. */
export function refusal(state: RoomState, change: StateChange, minutes: number): [string, string] {
  const outcome = applyChange(advanceRoom(state, minute(minutes)).state, change, minute(minutes));
  return outcome.ok ? ["OK", ""] : [outcome.code, outcome.sentence];
}

export const inMinutes = (at: Instant | null): number | null => (at === null ? null : (at - START) / MINUTE);

/** A text that the guest adds to the content. */
export const contribution = (seq: number, content: string) => ({
  seq,
  userId: guest.userId,
  username: guest.username,
  content,
  contentHtml: `<p>${content}</p>`,
  createdAt: minute(1),
});

/** A room whose session the host has just started. */
export const started = (over: Partial<RoomState> = {}) =>
  roomAfter(room(over), { type: "start", by: host }, 0);
