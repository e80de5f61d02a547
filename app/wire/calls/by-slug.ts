// Calls whose `{challenge}` is the slug of an activity or of a session (C-52 to C-56, X-08, R-15).
import { z } from "zod";
import { ActivityChange } from "~/domain/activities/activities";
import { AppError, type FieldErrors } from "~/domain/errors";
import { ScopedChange } from "~/domain/sessions/input";
import type { SessionHead } from "~/domain/sessions/view";
import { oneLine } from "~/domain/text-fields";
import { activityOut } from "../activities/activities";
import { call } from "../call";
import { challengeToSlug, sessionBySlug, slugParams, withJoinCode } from "../sessions/ids";
import { sessionChangeFields, sessionChangeOf } from "../sessions/input";
import { sessionOut } from "../sessions/sessions";
import { activityFields, activityNames } from "./activities";
import { withSlugOfPath } from "./huts";

type Activity = Parameters<typeof activityOut>[0] & { path: string };
type SlugMatch = { kind: "activity"; activity: Activity } | { kind: "session"; session: SessionHead };

const answer = (match: SlugMatch) =>
  match.kind === "activity"
    ? { challenge: activityOut(match.activity), path: match.activity.path }
    : { challenge_event: sessionOut(match.session), path: match.session.session.path };

/** The lookup of the slug decides which schema parses the body. */
function readOrRefuse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems: FieldErrors = {};
  for (const issue of result.error.issues) {
    const name = issue.path.map(String).join(".") || "challenge";
    problems[name] = [...(problems[name] ?? []), issue.message];
  }
  throw new AppError("INVALID", undefined, { fields: problems });
}

const sends = z.object({ challenge: oneLine(), ...activityFields, ...sessionChangeFields });
const changeInput = z
  .preprocess(withSlugOfPath("challenge"), z.looseObject({ slug: oneLine() }))
  .transform((body) => ({
    slug: body.slug,
    activity: () =>
      readOrRefuse(ActivityChange, {
        ...activityNames(readOrRefuse(z.object(activityFields), body)),
        slug: body.slug,
      }),
    session: () =>
      readOrRefuse(
        ScopedChange.omit({ session: true }),
        sessionChangeOf(readOrRefuse(z.object(sessionChangeFields), body)),
      ),
  }));

export const slugCalls = {
  updateActivity: call("PATCH /challenges/{challenge}", "Update an activity with its goals", {
    scope: "host",
    limits: ["change-activity", "change-series", "change-session"],
    input: changeInput,
    sends,
    answer,
  }),
  patchActivity: call("PATCH /challenges/{challenge}/patch", "Change fields of an activity", {
    scope: "host",
    limits: ["change-activity", "change-series", "change-session"],
    input: changeInput,
    sends,
    answer,
  }),
  deleteBySlug: call("DELETE /challenges/{challenge}", "Delete an activity or a session", {
    scope: "host",
    limits: ["change-activity", "change-session"],
    status: 204,
    input: sessionBySlug,
    answer: () => null,
  }),
  joinBySlug: call("POST /challenges/{challenge}/join", "Follow an activity or join a session", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS", "SESSION_FULL", "WRONG_CODE"],
    limits: ["change-follow", "join", "join-code", "join-code-everywhere", "join-code-late"],
    isRepeatable: true,
    status: 200,
    input: withJoinCode(slugParams).transform(challengeToSlug),
    answer,
  }),
  leaveBySlug: call("POST /challenges/{challenge}/leave", "Unfollow an activity or leave a session", {
    scope: "write",
    limits: ["change-follow"],
    input: sessionBySlug,
    answer,
  }),
  resetBySlug: call("POST /challenges/{challenge}/reset", "Reset an activity's sessions or a session", {
    scope: "none",
    limits: ["change-activity", "change-session"],
    who: "super-admin",
    input: sessionBySlug,
    answer: (result: { reset: number }) => result,
  }),
};
