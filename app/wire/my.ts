// The sessions and huts in the viewer's My lists (E-06, E-14, with the fields of a card).
import { statusAt } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";
import { type HutFacts, hutFactsOut } from "~/wire/activities/activities";
import { flagOut, instantOut } from "./values";

type MySession = {
  id: number;
  slug: string;
  title: string;
  summary: string;
  startedAt: Instant | null;
  endedAt: Instant | null;
  duration: number;
  participantLimit: number | null;
  participantsCount: number;
  isFree: boolean;
  hutId: number | null;
  hutSlug: string | null;
  isHost: boolean;
  role: number;
  completedAt: Instant | null;
};
export const mySessionOut = (session: MySession, now: Instant) => ({
  id: session.id,
  slug: session.slug,
  title: session.title,
  path: `/sessions/${session.id}`,
  summary: session.summary,
  status: statusAt(session, now),
  started_at: instantOut(session.startedAt),
  ended_at: instantOut(session.endedAt),
  duration: session.duration,
  participant_limit: session.participantLimit,
  participants_count: session.participantsCount,
  is_free: flagOut(session.isFree),
  is_joined: flagOut(true),
  hut_id: session.hutId,
  hut_slug: session.hutSlug,
  role: session.role,
  is_host: flagOut(session.isHost),
  completed_at: instantOut(session.completedAt),
});

/** A hut of the viewer. */
export const myHutOut = (hut: HutFacts) => ({ ...hutFactsOut(hut), is_joined: flagOut(true) });
