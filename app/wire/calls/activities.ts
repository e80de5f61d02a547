// Activities and their lists (C-48, C-49, C-51).
import { z } from "zod";
import { ActivityInput } from "~/domain/activities/activities";
import type { Goal } from "~/domain/goals/goals";
import { type ListPage, ListQuery } from "~/domain/lists";
import { digits } from "~/domain/number-fields";
import type { SessionCard } from "~/domain/sessions/view";
import { oneLine } from "~/domain/text-fields";
import { activityCardOut, activityOut } from "../activities/activities";
import { call, fields, listCall, reads, uncheckedText } from "../call";
import { listOut, listQuery, templateOut, termsOut } from "../lists";
import { planFields, planInputOf } from "../sessions/input";
import { sessionCardOut } from "../sessions/sessions";
import { flag } from "../values";

type Card = Parameters<typeof activityCardOut>[0];
type Activity = Parameters<typeof activityOut>[0] & { path: string };
const A_NUMBER = "Please give a number.";
const number = z.union([z.number(), digits(/^\d+$/, A_NUMBER).transform(Number)], A_NUMBER);

export const activityFields = {
  title: uncheckedText,
  content: uncheckedText,
  category: uncheckedText,
  difficulty: uncheckedText,
  hut_id: number.nullish(),
  group_id: number.nullish(),
  duration: number.optional(),
  participant_limit: number.nullish(),
  is_manually_started: flag.optional(),
  is_preset: flag.optional(),
  is_private: flag.optional(),
  ...planFields,
};
type Fields = z.output<z.ZodObject<typeof activityFields>>;
/** Outside names → inside names. */
export const activityNames = (body: Fields) => ({
  title: body.title,
  content: body.content,
  category: body.category,
  difficulty: body.difficulty,
  hutId: body.hut_id === undefined ? body.group_id : body.hut_id,
  duration: body.duration,
  participantLimit: body.participant_limit,
  isManuallyStarted: body.is_manually_started,
  isTemplate: body.is_preset,
  isPrivate: body.is_private,
  ...planInputOf(body),
});

type Terms = Parameters<typeof termsOut>[0];
type Templates = Parameters<typeof templateOut>[0][];

/** The same declaration serves the lists of activities and of templates. */
const activityListOptions = {
  scope: "read" as const,
  rows: "activities" as const,
  input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
  answer: (
    page: ListPage & {
      activities: Card[];
      activitiesCount: number;
      categories: Terms;
      templates: Templates;
    },
  ) => ({
    challenges: page.activities.map(activityCardOut),
    challengesCount: page.activitiesCount,
    templates: page.templates.map(templateOut),
    ...termsOut(page.categories),
    ...listOut(page),
  }),
};

export const activityCalls = {
  viewHome: listCall("GET /api/home", "Read the home page", {
    scope: "read",
    rows: "activities",
    input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
    answer: (
      home: ListPage & {
        appName: string;
        activities: Card[];
        activitiesCount: number;
        sessions: SessionCard[];
        categories: Terms;
        templates: Templates;
      },
    ) => ({
      app_name: home.appName,
      challenges: home.activities.map(activityCardOut),
      challengesCount: home.activitiesCount,
      challengeEvents: home.sessions.map(sessionCardOut),
      templates: home.templates.map(templateOut),
      ...termsOut(home.categories),
      ...listOut(home),
    }),
  }),
  listActivities: listCall("GET /api/activities", "List activities", activityListOptions),
  listTemplates: listCall(
    "GET /api/challenges/templates",
    "List templates of activities",
    activityListOptions,
  ),
  viewActivity: listCall("GET /api/activities/{challenge}", "Read an activity", {
    scope: "read",
    rows: "sessions",
    input: reads(
      fields({ params: { challenge: oneLine() }, query: listQuery }),
      ({ challenge, ...query }) => ({ ...query, slug: challenge }),
      ListQuery.extend({ slug: oneLine() }),
    ),
    answer: (
      view: ListPage & {
        activity: Omit<Activity, "goals" | "myGoals">;
        goals: Goal[];
        myGoals: Activity["myGoals"];
        sessions: SessionCard[];
      },
    ) => ({
      challenge: activityOut({ ...view.activity, goals: view.goals, myGoals: view.myGoals }),
      challengeEvents: view.sessions.map(sessionCardOut),
      sessions: view.sessions.map(sessionCardOut),
      ...listOut(view),
    }),
  }),
  createActivity: call("POST /challenges", "Create an activity", {
    scope: "host",
    limits: ["activities"],
    isRepeatable: true,
    input: reads(fields({ within: "challenge", body: activityFields }), activityNames, ActivityInput),
    answer: (activity: Activity) => ({ challenge: activityOut(activity), path: activity.path }),
  }),
};
