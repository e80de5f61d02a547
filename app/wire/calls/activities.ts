// Activities and the lists that hold them (C-48, C-49, C-51).
import { z } from "zod";
import { ActivityInput } from "~/domain/activities";
import { ListQuery } from "~/domain/lists";
import { activityCardOut, activityOut } from "../activities";
import { call, fields, pageCall, raw, reads } from "../call";
import { flag, page } from "../values";
import { listQuery } from "./huts";

type Card = Parameters<typeof activityCardOut>[0];
type Activity = Parameters<typeof activityOut>[0] & { path: string };
const number = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]);

export const activityFields = {
  title: raw,
  content: raw,
  category: raw,
  difficulty: raw,
  hut_id: number.nullish(),
  group_id: number.nullish(),
  duration: number.optional(),
  participant_limit: number.nullish(),
  is_manually_started: flag.optional(),
  is_preset: flag.optional(),
};
type Fields = z.output<z.ZodObject<typeof activityFields>>;
/** The documents' names → ours. */
export const activityNames = (body: Fields) => ({
  title: body.title,
  content: body.content,
  category: body.category,
  difficulty: body.difficulty,
  hutId: body.hut_id ?? body.group_id,
  duration: body.duration,
  participantLimit: body.participant_limit,
  isManuallyStarted: body.is_manually_started,
  isTemplate: body.is_preset,
});

export const activityCalls = {
  viewHome: pageCall("viewHome", {
    input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
    answer: (result: {
      activities: Card[];
      page: number;
      perPage: number;
      sessions: { slug: string; id: number; title: string }[];
    }) => ({
      challenges: result.activities.map(activityCardOut),
      challengeEvents: result.sessions,
      page: result.page,
      per_page: result.perPage,
    }),
  }),
  listActivities: pageCall("listActivities", {
    input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
    answer: (result: {
      activities: Card[];
      page: number;
      perPage: number;
      categories: { slug: string; title: string }[];
    }) => ({
      challenges: result.activities.map(activityCardOut),
      terms: result.categories,
      page: result.page,
      per_page: result.perPage,
    }),
  }),
  viewActivity: pageCall("viewActivity", {
    input: fields({ params: { challenge: z.string() }, query: { page } }).transform((given) => ({
      slug: given.challenge,
      page: given.page,
    })),
    answer: (result: {
      activity: Activity;
      page: number;
      perPage: number;
      sessions: { slug: string; id: number; title: string }[];
    }) => ({
      challenge: activityOut(result.activity),
      sessions: result.sessions,
      page: result.page,
      per_page: result.perPage,
    }),
  }),
  createActivity: call("createActivity", {
    isRepeatable: true,
    input: reads(fields({ within: "challenge", body: activityFields }), activityNames, ActivityInput),
    answer: (activity: Activity) => ({ challenge: activityOut(activity), path: activity.path }),
  }),
};
