// Huts (C-49, C-86 to C-90).
import { z } from "zod";
import { HutChange, HutInput, type HutMember, MemberChange } from "~/domain/huts/huts";
import { type ListPage, ListQuery } from "~/domain/lists";
import { numberIn } from "~/domain/number-fields";
import type { SessionCard } from "~/domain/sessions/view";
import { oneLine } from "~/domain/text-fields";
import { activityCardOut, hutOut } from "../activities/activities";
import { call, clearableText, fields, listCall, reads, uncheckedText } from "../call";
import { listOut, listQuery, termsOut } from "../lists";
import { mute, reason } from "../safety/sanctions";
import { sessionCardOut } from "../sessions/sessions";
import { flag, flagOut, instantOut } from "../values";

type ActivityCard = Parameters<typeof activityCardOut>[0];
type Hut = Parameters<typeof hutOut>[0];
const hutAnswer = (hut: Hut & { path: string }) => ({ hut: hutOut(hut), path: hut.path });

const hutListInput = reads(
  fields({ params: { hut: oneLine() }, query: listQuery }),
  ({ hut, ...query }) => ({ ...query, slug: hut }),
  ListQuery.extend({ slug: oneLine() }),
);
type Terms = Parameters<typeof termsOut>[0];
type WithActivities = ListPage & {
  hut: Hut;
  activities: ActivityCard[];
  activitiesCount: number;
  categories: Terms;
};
type WithSessions = ListPage & { hut: Hut; sessions: SessionCard[]; categories: Terms };

export const hutCalls = {
  listHuts: listCall("GET /api/groups", "List huts", {
    scope: "read",
    rows: "huts",
    input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
    answer: (list: ListPage & { huts: Hut[] }) => ({
      groups: list.huts.map((hut) => hutOut(hut)),
      ...listOut(list),
    }),
  }),
  viewHut: listCall("GET /api/group/{hut}", "Read a hut", {
    scope: "read",
    rows: "activities",
    input: hutListInput,
    answer: (view: WithActivities & { sessions: SessionCard[] }) => {
      const challenges = view.activities.map(activityCardOut);
      const sessions = view.sessions.map(sessionCardOut);
      const hut = hutOut(view.hut, { challenges, sessions });
      return {
        hut,
        group: hut,
        challenges,
        challengesCount: view.activitiesCount,
        sessions,
        ...termsOut(view.categories),
        ...listOut(view),
      };
    },
  }),
  viewHutSessions: listCall("GET /api/group/{hut}/sessions", "List the sessions of a hut", {
    scope: "read",
    rows: "sessions",
    input: hutListInput,
    answer: (view: WithSessions) => ({
      hut: hutOut(view.hut),
      sessions: view.sessions.map(sessionCardOut),
      challengeEvents: view.sessions.map(sessionCardOut),
      ...termsOut(view.categories),
      ...listOut(view),
    }),
  }),
  viewHutActivities: listCall("GET /api/hut/{hut}/activities", "List the activities of a hut", {
    scope: "read",
    rows: "activities",
    input: hutListInput,
    answer: (view: WithActivities) => ({
      hut: hutOut(view.hut),
      challenges: view.activities.map(activityCardOut),
      challengesCount: view.activitiesCount,
      ...termsOut(view.categories),
      ...listOut(view),
    }),
  }),
  createHut: call("POST /groups/store", "Create a hut", {
    scope: "host",
    limits: ["huts"],
    isRepeatable: true,
    input: reads(
      fields({
        within: "hut",
        body: { title: uncheckedText, content: clearableText, is_private: flag.optional() },
      }),
      ({ is_private, ...body }) => ({ ...body, isPrivate: is_private }),
      HutInput,
    ),
    answer: hutAnswer,
  }),
  updateHut: call("PATCH /groups/{hut}/patch", "Update a hut", {
    scope: "host",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["change-hut"],
    input: reads(
      // The body's wrapper and the path parameter have the same name; the slug comes from the path only.
      z.preprocess(
        withSlugOfPath("hut"),
        z.object({
          slug: oneLine(),
          title: uncheckedText,
          content: clearableText,
          is_private: flag.optional(),
          admit_outsiders: flag.optional(),
          take_over: flag.optional(),
        }),
      ),
      ({ is_private, admit_outsiders, take_over, ...body }) => ({
        ...body,
        isPrivate: is_private,
        admitsOutsiders: admit_outsiders,
        takesOver: take_over,
      }),
      HutChange,
    ),
    answer: hutAnswer,
  }),
  joinHut: call("POST /groups/{hut}/join", "Join a hut", {
    scope: "write",
    limits: ["change-membership"],
    isRepeatable: true,
    status: 200,
    input: fields({ params: { hut: oneLine() }, body: { leave: flag.optional() } }).transform((body) => ({
      slug: body.hut,
      leave: body.leave ?? false,
    })),
    answer: hutAnswer,
  }),
  leaveHut: call("DELETE /groups/{hut}/leave", "Leave a hut", {
    scope: "write",
    limits: ["change-membership"],
    input: fields({ params: { hut: oneLine() } }).transform((body) => ({ slug: body.hut })),
    answer: hutAnswer,
  }),
  attachActivity: call("PATCH /groups/{hut}/{challenge}/attach-challenge", "Attach an activity to a hut", {
    scope: "host",
    limits: ["change-attachment"],
    input: fields({ params: { hut: oneLine(), challenge: oneLine() } }).transform((body) => ({
      hut: body.hut,
      activity: body.challenge,
    })),
    answer: hutAnswer,
  }),
  detachActivity: call("PATCH /groups/{hut}/{challenge}/detach-challenge", "Remove an activity from a hut", {
    scope: "host",
    limits: ["change-attachment"],
    input: fields({ params: { hut: oneLine(), challenge: oneLine() } }).transform((body) => ({
      hut: body.hut,
      activity: body.challenge,
    })),
    answer: hutAnswer,
  }),
  deleteHut: call("DELETE /groups/{hut}", "Delete a hut", {
    scope: "host",
    limits: ["change-hut"],
    input: z.preprocess(slugOfBody, z.object({ hut: oneLine(), slug: oneLine().catch("") })),
    // The use case compares it after the right to delete.
    sends: z.object({ hut: oneLine(), slug: oneLine() }),
    status: 204,
    answer: () => null,
  }),
  changeHutMember: call("PATCH /groups/{hut}/members/{username}", "Change a member's role in a hut", {
    scope: "host",
    limits: ["change-membership", "change-sanction"],
    input: reads(
      fields({
        params: { hut: oneLine(), username: oneLine() },
        body: {
          role: numberIn(z.number("Please choose 0 (member) or 1 (moderator).")).optional(),
          owner: flag.optional(),
          mute: mute.optional(),
          ban: flag.optional(),
          reason: reason.optional(),
        },
      }),
      ({ owner, role, mute, ban, reason, ...target }) => ({
        ...target,
        role,
        isOwner: owner,
        mute,
        isBanned: ban,
        reason,
      }),
      MemberChange,
    ),
    answer: (member: HutMember) => ({ member: memberOut(member) }),
  }),
};

/** `{ params: { hut }, body: { slug } }`, bare or in the wrapper `hut`. */
function slugOfBody(sentBody: unknown) {
  const { params, body } = sentBody as {
    params: { hut: string };
    body: { slug?: unknown; hut?: { slug?: unknown } } | undefined;
  };
  return { hut: params.hut, slug: body?.slug ?? body?.hut?.slug };
}

const memberOut = (member: HutMember) => ({
  username: member.username,
  role: member.role,
  owner: flagOut(member.isOwner),
  joined_at: instantOut(member.joinedAt),
});

/** `{ params: { hut }, body: { hut: {…} } }` → the fields and the slug, for a wrapper with the parameter's name. */
export function withSlugOfPath(name: string) {
  return (sentBody: unknown) => {
    const { params, body } = sentBody as { params: Record<string, string>; body: unknown };
    const bare = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
    const inner = typeof bare[name] === "object" && bare[name] !== null ? (bare[name] as object) : {};
    return { ...bare, ...inner, slug: params[name] };
  };
}
