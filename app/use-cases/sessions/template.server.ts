// A session as the input of the next one: the host's settings and texts, without participants and their texts (G-02).
import * as goalCopies from "#db/queries/goals/copies";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { draftOf, type Goal } from "~/domain/goals/goals";
import { allow, requireUser } from "~/domain/permissions";
import type { RunPlan } from "~/domain/room/room";
import { asOnOtherDates } from "~/domain/schedule/schedule";
import type { SessionInput } from "~/domain/sessions/input";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { type Instant, SECOND, type Seconds, seconds } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { liveRow, readSession, viewRoomIf } from "./read.server";

/** The `startedAt` of `row` is the planned start, from which the next one is counted; a manual start has only its own. */
export type HostedTemplate = { row: SessionRow; goals: Goal[]; template: SessionInput; hasBegun: boolean };

/** Only for the host (G-03). The template has no start: the next session gets its own. */
export async function readTemplate(app: App, session: number): Promise<HostedTemplate> {
  requireUser(app.user);
  const rowRead = readSession(app, { session });
  const [original, goals, view] = await Promise.all([
    rowRead,
    goalCopies.listSessionGoals(app.db, session),
    viewRoomIf(app, session, async () => Boolean(await rowRead)),
  ]);
  allow(original.seatIsHost, sessionRefusals.hostRepeats);
  const row = liveRow(original, view);
  const plan = view?.state.plan ?? null;
  const template: SessionInput = {
    title: row.title,
    content: row.content,
    prompt: row.prompt,
    // A former member of a private activity repeats the session without the activity.
    activityId: row.activitySlug === null ? null : row.activityId,
    hutId: row.hutId,
    repeatedHutId: row.hutId,
    isPrivate: row.isPrivate,
    duration: plannedLength(row, plan),
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
    schedule: asOnOtherDates(row.schedule),
    goals: goals.map(draftOf),
  };
  return {
    row: { ...row, startedAt: plannedStart(row, plan), duration: template.duration ?? row.duration },
    goals,
    template,
    hasBegun: row.startedAt !== null && row.startedAt <= app.now,
  };
}

const plannedStart = (row: SessionRow, plan: RunPlan | null): Instant | null =>
  row.recap?.plannedStart ?? plan?.plannedStart ?? row.startedAt;

/** The seconds that the session was planned to last, without the time that its run was given or has lost. */
function plannedLength(row: SessionRow, plan: RunPlan | null): Seconds {
  const start = plannedStart(row, plan);
  const end = row.recap?.plannedEnd ?? plan?.end ?? null;
  return start === null || end === null ? row.duration : seconds((end - start) / SECOND);
}
