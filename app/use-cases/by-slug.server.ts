// Calls by the slug of an activity or a session, dispatched to the noun.
import * as activities from "#db/queries/activities/activities";
import type { ActivityChange } from "~/domain/activities/activities";
import { AppError } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import type { SessionChange } from "~/domain/sessions/input";
import {
  deleteActivity,
  followActivity,
  requireActivity,
  unfollowActivity,
  updateActivity,
  type WholeActivity,
} from "~/use-cases/activities/activities.server";
import type { App } from "./app.server";
import type { Made } from "./sessions/create.server";
import { joinSession, leaveSession, type Participation } from "./sessions/people.server";
import { readSession } from "./sessions/read.server";
import { deleteSession, resetSession, resetSessionsOf } from "./sessions/run.server";
import { updateSession } from "./sessions/update.server";

export type BySlug<A, S> = { kind: "activity"; activity: A } | { kind: "session"; session: S };

async function kindOf(app: App, slug: string): Promise<"activity" | "session"> {
  const [row] = await activities.findSlugKind(app.db, slug);
  if (!row) throw new AppError("NOT_FOUND", "We could not find that.");
  return row.kind;
}

export async function joinBySlug(
  app: App,
  input: { slug: string; joinCode?: string | undefined },
): Promise<BySlug<WholeActivity, Participation>> {
  requireUser(app.user, "Please sign in to use that feature.");
  return (await kindOf(app, input.slug)) === "activity"
    ? { kind: "activity", activity: await followActivity(app, input) }
    : {
        kind: "session",
        session: await joinSession(app, { slug: input.slug, joinCode: input.joinCode }),
      };
}

export async function leaveBySlug(
  app: App,
  input: { slug: string },
): Promise<BySlug<WholeActivity, Participation>> {
  return (await kindOf(app, input.slug)) === "activity"
    ? { kind: "activity", activity: await unfollowActivity(app, input) }
    : { kind: "session", session: await leaveSession(app, { slug: input.slug }) };
}

export async function updateBySlug(
  app: App,
  input: { slug: string; activity: () => ActivityChange; session: () => Omit<SessionChange, "session"> },
): Promise<BySlug<WholeActivity, Made>> {
  if ((await kindOf(app, input.slug)) === "activity")
    return { kind: "activity", activity: await updateActivity(app, input.activity()) };
  const { id } = await readSession(app, { slug: input.slug });
  return { kind: "session", session: await updateSession(app, { ...input.session(), session: id }) };
}

export async function deleteBySlug(app: App, input: { slug: string }): Promise<void> {
  requireUser(app.user);
  if ((await kindOf(app, input.slug)) === "activity") await deleteActivity(app, input);
  else await deleteSession(app, { slug: input.slug });
}

/** Super admin only: resets a session, or the sessions of an activity that have not ended. */
export async function resetBySlug(app: App, input: { slug: string }): Promise<{ reset: number }> {
  requireUser(app.user);
  allow(isSuperAdmin(app.user), "Only a super admin may reset a challenge.");
  if ((await kindOf(app, input.slug)) === "activity") {
    const { id } = await requireActivity(app, input.slug);
    return { reset: await resetSessionsOf(app, id) };
  }
  await resetSession(app, { slug: input.slug });
  return { reset: 1 };
}
