// The wire format of blocks, reports, sanctions, and decisions about a user.
import type { StoredReport } from "~/domain/safety/reports";
import type { Instant } from "~/domain/time";
import { flagOut, instantOut } from "~/wire/values";

export const blockOut = (block: { username: string; createdAt: Instant }) => ({
  username: block.username,
  created_at: instantOut(block.createdAt),
});

export const reportOut = ({ kind, id, reason, text, createdAt, updatedAt }: Omit<StoredReport, "isNew">) => ({
  kind,
  id,
  reason,
  text,
  created_at: instantOut(createdAt),
  updated_at: instantOut(updatedAt),
});

type Sanction = {
  scope: string;
  targetId: number;
  kind: string;
  until: Instant | null;
  reason: string;
  createdAt: Instant;
};
export const sanctionOut = (sanction: Sanction) => ({
  scope: sanction.scope,
  id: sanction.targetId,
  kind: sanction.kind,
  until: instantOut(sanction.until),
  reason: sanction.reason,
  created_at: instantOut(sanction.createdAt),
});

type Decision = {
  kind: string;
  targetId: string;
  act: string;
  reason: string;
  snapshot: string;
  decidedAt: Instant;
  appeal: string;
  appealedAt: Instant | null;
  isGranted: boolean | null;
  answer: string;
  answeredAt: Instant | null;
};
/** A decision as the person that it is about reads it. */
export const decisionOut = (decision: Decision) => ({
  kind: decision.kind,
  id: decision.targetId,
  act: decision.act,
  reason: decision.reason,
  text: decision.snapshot,
  created_at: instantOut(decision.decidedAt),
  appeal: decision.appeal,
  appealed_at: instantOut(decision.appealedAt),
  is_granted: decision.isGranted === null ? null : flagOut(decision.isGranted),
  answer: decision.answer,
  answered_at: instantOut(decision.answeredAt),
});
