// The kinds of events that each JSON call may cause: the doors through which Bothy writes to people. A new one is declared
// here, and its kind says in app/domain/notices/event-rules.ts whom it reaches.
import { env } from "cloudflare:workers";
import type { EventKind } from "~/domain/notices/events";
import type { CallName } from "../support/every-call";

const SEATS: EventKind[] = ["calendar", "seat-given", "seat-offered", "seat-unpaid"];
const CANCELLED: EventKind[] = ["calendar", "session-cancelled"];
const POSTED: EventKind[] = ["reply", "thread-reply", "mention"];
const LAID_OUT: EventKind[] = [
  "hut-session",
  "standing-unpaid",
  "standing-ended",
  "turn-given",
  "series-unpaid",
];

export const WRITES: Partial<Record<CallName | "stripeWebhook", EventKind[]>> = {
  updateProfile: ["account-changed"],
  joinSession: ["calendar"],
  joinBySlug: ["calendar"],
  leaveSession: SEATS,
  leaveBySlug: SEATS,
  stopWaiting: SEATS,
  createSession: ["hut-session"],
  repeatSession: ["hut-session"],
  addPart: ["calendar"],
  updatePart: ["calendar"],
  deletePart: ["calendar"],
  reorderParts: ["calendar"],
  saveContent: ["calendar"],
  patchSession: [...SEATS, "session-moved", "session-undated", "waiting-asked"],
  startSession: ["calendar", "session-started", "session-early"],
  endSession: [...CANCELLED, "session-recap"],
  completeSession: ["session-recap"],
  deleteBySlug: CANCELLED,
  claimSession: ["host-given"],
  changeParticipant: ["host-given"],
  removeParticipant: [...SEATS, ...CANCELLED, "host-given"],
  notifyParticipants: ["host-message"],
  createMessage: ["chat-mention"],
  editMessage: ["chat-mention"],
  createPost: POSTED,
  editPost: POSTED,
  createSeries: LAID_OUT,
  changeSeries: [
    ...LAID_OUT,
    ...CANCELLED,
    ...SEATS,
    "session-moved",
    "session-undated",
    "waiting-asked",
    "standing-asked",
    "rota-asked-again",
  ],
  changeSeriesDay: [...LAID_OUT, ...CANCELLED, "session-moved", "session-undated"],
  endSeries: CANCELLED,
  setRotaHost: ["rota-invited"],
  leaveHut: [...SEATS, ...CANCELLED, "host-given"],
  changeHutMember: [...SEATS, ...CANCELLED, "host-given"],
  updateHut: [...SEATS, "hut-private"],
  deleteHut: [...CANCELLED, "hut-deleted"],
};

/** Kinds that no call causes: the clock, a page of super admins, or the page of an invitation. */
export const OTHERS: EventKind[] = [
  "waiting-ended",
  "invitation-used",
  "session-reminder",
  "goal-reminder",
  "still-open",
  "key-ends",
  "report-closed",
  "decision",
  "appeal-answered",
];

/** Records every event from now on, because their fan-out deletes them. */
export async function watchEvents(): Promise<void> {
  await env.DB.prepare("CREATE TABLE IF NOT EXISTS seen_events (kind TEXT NOT NULL)").run();
  await env.DB.prepare(
    "CREATE TRIGGER IF NOT EXISTS see_events AFTER INSERT ON events BEGIN INSERT INTO seen_events VALUES (new.kind); END",
  ).run();
}

/** The kinds since the last question, once each. */
export async function seenKinds(): Promise<EventKind[]> {
  const { results } = await env.DB.prepare("SELECT DISTINCT kind FROM seen_events ORDER BY kind").all<{
    kind: EventKind;
  }>();
  await env.DB.prepare("DELETE FROM seen_events").run();
  return results.map(({ kind }) => kind);
}
