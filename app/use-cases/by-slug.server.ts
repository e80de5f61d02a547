// Calls by the slug of an activity or a session, dispatched to the noun.
import * as activities from "#db/queries/activities/activities";
import type { ActivityChange } from "~/domain/activities/activities";
import { AppError, asAppError } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { ScopedChange } from "~/domain/sessions/input";
import * as sessionRefusals from "~/domain/sessions/refusals";
import {
  deleteActivity,
  followActivity,
  requireActivity,
  unfollowActivity,
  updateActivity,
  type WholeActivity,
} from "~/use-cases/activities/activities.server";
import type { App } from "./app.server";
import { changeSessions } from "./series/change.server";
import type { NewSession } from "./sessions/create.server";
import { joinSession, leaveSession, type Participation } from "./sessions/people.server";
import { readSession } from "./sessions/read.server";
import { deleteSession, resetSession, resetSessionsOf } from "./sessions/run.server";

export type BySlug<A, S> = { kind: "activity"; activity: A } | { kind: "session"; session: S };

type Kind = "activity" | "session";
const notFound = () => new AppError("NOT_FOUND", refusals.notFound);
async function kindOf(app: App, slug: string): Promise<Kind> {
  const [row] = await activities.findSlugKind(app.db, slug);
  if (!row) throw notFound();
  return row.kind;
}

/** Answers NOT_FOUND for a record that the user may not see, whatever its kind and the body. */
async function dispatchByKind<T>(app: App, slug: string, act: (kind: Kind) => Promise<T>): Promise<T> {
  const kind = await kindOf(app, slug);
  try {
    return await act(kind);
  } catch (error) {
    const { code } = asAppError(error);
    if (code === "NOT_FOUND" || code === "INVALID")
      await (kind === "activity" ? requireActivity(app, slug) : readSession(app, { slug })).catch(
        (readError) => {
          throw asAppError(readError).code === "NOT_FOUND" ? notFound() : readError;
        },
      );
    throw error;
  }
}

export async function joinBySlug(
  app: App,
  input: { slug: string; joinCode?: string | undefined },
): Promise<BySlug<WholeActivity, Participation>> {
  requireUser(app.user, refusals.signIn);
  const { slug, joinCode } = input;
  return dispatchByKind(app, slug, async (kind) =>
    kind === "activity"
      ? { kind, activity: await followActivity(app, input) }
      : { kind, session: await joinSession(app, { slug, joinCode }) },
  );
}

export const leaveBySlug = (
  app: App,
  { slug }: { slug: string },
): Promise<BySlug<WholeActivity, Participation>> =>
  dispatchByKind(app, slug, async (kind) =>
    kind === "activity"
      ? { kind, activity: await unfollowActivity(app, { slug }) }
      : { kind, session: await leaveSession(app, { slug }) },
  );

export const updateBySlug = (
  app: App,
  input: { slug: string; activity: () => ActivityChange; session: () => Omit<ScopedChange, "session"> },
): Promise<BySlug<WholeActivity, NewSession>> =>
  dispatchByKind(app, input.slug, async (kind) => {
    if (kind === "activity") return { kind, activity: await updateActivity(app, input.activity()) };
    const { id } = await readSession(app, { slug: input.slug });
    return { kind, session: await changeSessions(app, { ...input.session(), session: id }) };
  });

export async function deleteBySlug(app: App, { slug }: { slug: string }): Promise<void> {
  requireUser(app.user);
  await dispatchByKind(app, slug, (kind) =>
    kind === "activity" ? deleteActivity(app, { slug }) : deleteSession(app, { slug }),
  );
}

/** Super admin only: resets a session, or the sessions of an activity that have not ended. */
export async function resetBySlug(app: App, input: { slug: string }): Promise<{ reset: number }> {
  requireUser(app.user);
  allow(isSuperAdmin(app.user), sessionRefusals.superAdminResetsAny);
  if ((await kindOf(app, input.slug)) === "activity") {
    const { id } = await requireActivity(app, input.slug);
    return { reset: await resetSessionsOf(app, id) };
  }
  await resetSession(app, { slug: input.slug });
  return { reset: 1 };
}
