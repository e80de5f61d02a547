// A session as the input of the next one: what the host set, without participants and what they wrote (G-02).
import * as goalCopies from "#db/queries/goals/copies";
import type { SessionRow } from "#db/queries/sessions/sessions";
import type { Goal, GoalDraft } from "~/domain/goals/goals";
import { allow, requireUser } from "~/domain/permissions";
import { resetSchedule } from "~/domain/schedule/schedule";
import type { SessionInput } from "~/domain/sessions/input";
import type { App } from "~/use-cases/app.server";
import { liveRow, readSession, viewRoomIf } from "./read.server";

export type HostedTemplate = { row: SessionRow; goals: Goal[]; template: SessionInput };

/** For the host alone (G-03). The template has no start: the next session gets its own. */
export async function readTemplate(app: App, session: number): Promise<HostedTemplate> {
  requireUser(app.user);
  const reading = readSession(app, { session });
  const [read, goals, view] = await Promise.all([
    reading,
    goalCopies.listSessionGoals(app.db, session),
    viewRoomIf(app, session, async () => Boolean(await reading)),
  ]);
  allow(read.seatIsHost, "Only the host may repeat a session.");
  const row = liveRow(read, view);
  const template: SessionInput = {
    title: row.title,
    content: row.content,
    prompt: row.prompt,
    // A private activity is missing for its former member.
    activityId: row.activitySlug === null ? null : row.activityId,
    hutId: row.hutId,
    isPrivate: row.hutId === null && row.isPrivate,
    duration: row.duration,
    isManuallyStarted: row.isManuallyStarted,
    participantLimit: row.participantLimit,
    donationLink: row.donationLink,
    meetingLink: row.meetingLink,
    joinCode: row.joinCode,
    isFree: row.isFree,
    needsHost: row.needsHost,
    slowMode: row.slowMode as NonNullable<SessionInput["slowMode"]>,
    category: row.category,
    difficulty: row.difficulty as NonNullable<SessionInput["difficulty"]>,
    schedule: resetSchedule(row.schedule),
    goals: goals.map(draftOf),
  };
  return { row, goals, template };
}

/** The goal as its host set it: without ticks, progress and uuid. */
const draftOf = (goal: Goal): GoalDraft => ({
  title: goal.title,
  link: goal.link,
  content: goal.content,
  action: goal.action,
  unit: goal.unit,
  amount: goal.amount,
  distance: goal.distance,
  duration: goal.duration,
  actionDuration: goal.actionDuration,
  sets: goal.sets,
  timers: goal.timers,
  isInterval: goal.isInterval,
  isList: goal.isList,
  items: goal.items.map((item) => ({ ...item, isChecked: false })),
  quickLogButtons: goal.quickLogButtons,
  completionsRequired: goal.completionsRequired,
  isPerParticipant: goal.isPerParticipant,
  mayEditContent: goal.mayEditContent,
  mayEditSummary: goal.mayEditSummary,
  partGroupId: goal.partGroupId,
  tags: goal.sharedTags,
});
