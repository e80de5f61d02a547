// Updating a session (C-71, A-09). Before the run the record changes, if it is unchanged since it was read; afterwards
// the room writes texts and schedule, and the record the other fields.

import type { Statement } from "#db/connect.server";
import * as categories from "#db/queries/activities/categories";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { AppError, invalid } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { SessionChange } from "~/domain/sessions/input";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { App } from "~/use-cases/app.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { refuseStaleEdit } from "~/use-cases/stale-edits.server";
import { requireMayWrite, sessionPlace } from "~/use-cases/writing.server";
import { changePlan, changeRun, planOf } from "./apply-update.server";
import { freesSeats, limitBelowRoster } from "./changed-fields.server";
import { allowCategory, allowTemplate, type NewSession, readMade } from "./create.server";
import { replaceGoalStatements } from "./goals.server";
import { requireGuestsAllowed } from "./guest-seats.server";
import { requireHutToMoveTo } from "./place.server";
import { mayHost, mayRun, readSession } from "./read.server";
import { updatePlan } from "./roster-plan.server";
import { passRest } from "./waiting.server";

const MAX_ATTEMPTS = 8;

/** Fields that only the host and super admins set. */
const HOSTS_ONLY = [
  "isFree",
  "guestLimit",
  "needsHost",
  "joinCode",
  "donationLink",
  "meetingLink",
  "participantLimit",
  "isPrivate",
  "hutId",
] as const;

/** The fields with words that others read. */
const TEXT_FIELDS = [
  "title",
  "content",
  "prompt",
  "goals",
  "schedule",
  "donationLink",
  "meetingLink",
] as const;

/** A partial update (C-71): by host, admins, super admin. */
export async function updateSession(app: App, input: SessionChange): Promise<NewSession> {
  await countUse(app, "change-session", requireUser(app.user).id);
  return update(app, input, null);
}

/** How a change of the acting user's own series reaches a session: the one whose form it is, or another date. */
export type InSeries = "edited" | "other";

/** A session of the acting user's own series, whoever hosts it; the caller has checked the series (G-10). */
export const updateInSeries = (
  app: App,
  input: SessionChange,
  inSeries: InSeries = "other",
): Promise<NewSession> => update(app, input, inSeries);

/** Refuses what `updateSession` or `updateInSeries` would refuse, and writes nothing. */
export async function checkUpdate(app: App, change: SessionChange, inSeries: InSeries | null): Promise<void> {
  const row = await readSession(app, { session: change.session });
  const input = inSeries ? changeInSeries(app, row, change, inSeries) : change;
  await requireAllowed(app, row, input, inSeries !== null);
  if (statusAt(row, app.now) === SESSION_STATUS.waiting) planOf(app, row, input);
}

/**
 * The change of a session by a change of its series. The switch for guests is each host's own answer (H-17): it reaches
 * the other dates of the acting host too, each up to its limit and none in private, and never those of another host. The
 * series lowers theirs only to a lower participant limit.
 */
function changeInSeries(app: App, row: SessionRow, input: SessionChange, inSeries: InSeries): SessionChange {
  const { guestLimit, ...change } = input;
  if (inSeries === "edited" && guestLimit !== undefined && mayHost(app, row)) return input;
  const isAnswer =
    guestLimit !== undefined && row.seatIsHost && (!row.isPrivate || change.isPrivate === false);
  const { participantLimit = isAnswer ? row.participantLimit : null } = change;
  const guests = Math.min(
    isAnswer ? guestLimit : row.guestLimit,
    participantLimit || Number.POSITIVE_INFINITY,
  );
  return guests === row.guestLimit ? change : { ...change, guestLimit: guests };
}

async function update(app: App, change: SessionChange, inSeries: InSeries | null): Promise<NewSession> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await readSession(app, { session: change.session });
    const input = inSeries ? changeInSeries(app, row, change, inSeries) : change;
    const goals = await requireAllowed(app, row, input, inSeries !== null);
    const result =
      statusAt(row, app.now) === SESSION_STATUS.waiting
        ? await changePlan(app, row, input, goals)
        : await changeRun(app, row, input, goals);
    if (!result) continue;
    if (freesSeats(row, input)) {
      await passRest(app, row);
      await updatePlan(app, await readSession(app, { session: row.id }));
    }
    notifyRoom(app, row.id);
    return readMade(app, row.id, result.view);
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}

/**
 * Refuses a change that the user may not make, and returns the statements of its goals. The host alone switches free
 * joining on.
 */
async function requireAllowed(
  app: App,
  row: SessionRow,
  input: SessionChange,
  isOwnSeries: boolean,
): Promise<Statement[]> {
  const user = requireUser(app.user);
  const turnsFree = input.isFree === true && !row.isFree;
  allow(isOwnSeries || mayRun(app, row), refusals.hostAndAdminsChange);
  if (HOSTS_ONLY.some((name) => input[name] !== undefined && (input[name] || null) !== (row[name] || null)))
    allow(mayHost(app, row) || (isOwnSeries && !turnsFree), sessionRefusals.hostChangesSeats);
  const isPrivate = row.isPrivate && input.isPrivate !== false;
  requireGuestsAllowed(user, {
    before: row.guestLimit,
    guestLimit: input.guestLimit,
    participantLimit: input.participantLimit === undefined ? row.participantLimit : input.participantLimit,
    isPrivate,
  });
  if (input.isTemplate !== undefined && input.isTemplate !== row.isTemplate) allowTemplate(user);
  if (input.hutId && input.hutId !== row.hutId) await requireHutToMoveTo(app, input.hutId);
  const isWaiting = statusAt(row, app.now) === SESSION_STATUS.waiting;
  if (isWaiting) refuseStaleEdit(row, input, input.since);
  if (TEXT_FIELDS.some((name) => input[name] !== undefined)) {
    // A sanction of one session, which somebody else may host, does not close the series to its owner.
    const sanctions = row.sanctions.filter(({ scope }) => !isOwnSeries || scope === "hut");
    requireMayWrite(app, sessionPlace({ ...row, sanctions }, true));
  }
  if (input.category && input.category !== row.category)
    allowCategory(input.category, (await categories.findCategory(app.db, input.category))[0]);
  if (input.participantLimit && input.participantLimit < row.participantsCount) throw limitBelowRoster(row);
  const { guestLimit = row.guestLimit } = input;
  // A private session keeps the number, but seats no guest.
  if (
    !isPrivate &&
    input.participantLimit &&
    input.participantLimit !== row.participantLimit &&
    input.participantLimit < guestLimit
  )
    throw invalid("participantLimit", sessionRefusals.limitBelowGuests(guestLimit));
  if (!input.goals) return [];
  return replaceGoalStatements(app, row, input.goals, {
    since: input.since,
    condition: isWaiting ? sessionWrites.isSessionVersion(row) : undefined,
  });
}
