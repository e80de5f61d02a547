// The wire format of activities and huts (E-05, E-14).
import type { ActivityCard } from "~/domain/activities/activities";
import type { Goal } from "~/domain/goals/goals";
import type { Schedule } from "~/domain/schedule/schedule";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";
import { buttonOut, goalOut } from "~/wire/goals/goals";
import { scheduleOut } from "~/wire/schedule/schedule";
import { groupsOut, type sessionCardOut } from "~/wire/sessions/sessions";
import { flagOut, instantOut } from "~/wire/values";

/** An activity as a card in a list. */
export const activityCardOut = (activity: ActivityCard) => ({
  id: activity.id,
  slug: activity.slug,
  title: activity.title,
  summary: activity.summary,
  path: `/activities/${activity.slug}`,
  is_preset: flagOut(activity.isTemplate),
  is_joined: flagOut(activity.isJoined),
  duration: activity.duration,
  participant_limit: activity.participantLimit,
  participants_count: activity.followersCount,
  hut_slug: activity.hutSlug,
  hut_id: activity.hutId,
  group_id: activity.hutId,
  category_name: activity.categoryTitle,
  difficulty: activity.difficulty,
  active_events_count: activity.openSessionsCount,
  created_at: instantOut(activity.createdAt),
});

type Activity = ActivityCard & {
  content: string;
  contentHtml: string;
  isManuallyStarted: boolean;
  canJoin: boolean;
  canManage: boolean;
  ownerName: string;
  schedule: Schedule;
  goals: Goal[];
  /** The viewer's goals of this activity: copies of its goals, and goals attached to its sessions. */
  myGoals: { goal: Goal; activeLogId: number | null; username: string }[];
  updatedAt: Instant;
};

export const activityOut = (activity: Activity) => {
  const tasks = activity.goals.map((goal) =>
    goalOut(goal, { isOwner: activity.canManage, username: activity.ownerName, activeLogId: null }),
  );
  const { schedule, updatedAt } = activity;
  return {
    ...activityCardOut(activity),
    content: activity.content,
    content_html: activity.contentHtml,
    // An activity never starts; its sessions do.
    status: SESSION_STATUS.waiting,
    is_manually_started: flagOut(activity.isManuallyStarted),
    started_at: null,
    ended_at: null,
    remaining_duration: activity.duration * 1000,
    can_join: flagOut(activity.canJoin),
    linked: flagOut(activity.schedule.groups.every((group) => group.isLinked)),
    relative_dates: 1,
    parts: groupsOut(schedule, tasks, updatedAt),
    timers: scheduleOut(schedule, updatedAt).flatMap((group) => group.parts),
    tasks,
    quick_log_buttons: activity.goals.flatMap((goal) => goal.quickLogButtons.map(buttonOut)),
    my_goals: activity.myGoals.map(({ goal, ...details }) => goalOut(goal, { ...details, isOwner: true })),
  };
};

export type HutFacts = {
  id: number;
  slug: string;
  title: string;
  content: string;
  contentHtml: string;
  summary: string;
  userCount: number;
};
export const hutFactsOut = (hut: HutFacts) => ({
  id: hut.id,
  slug: hut.slug,
  title: hut.title,
  path: `/group/${hut.slug}`,
  content: hut.content,
  content_html: hut.contentHtml,
  summary: hut.summary,
  user_count: hut.userCount,
});

type Hut = HutFacts & { isPrivate: boolean; isJoined: boolean; createdAt: Instant };
type Lists = {
  challenges?: ReturnType<typeof activityCardOut>[];
  sessions?: ReturnType<typeof sessionCardOut>[];
};
export const hutOut = (hut: Hut, lists: Lists = {}) => ({
  ...hutFactsOut(hut),
  is_private: flagOut(hut.isPrivate),
  is_joined: flagOut(hut.isJoined),
  created_at: instantOut(hut.createdAt),
  challenges: lists.challenges ?? [],
  sessions: lists.sessions ?? [],
});

export const followOut = (follow: { activityId: number; followedAt: Instant }) => ({
  challenge_id: follow.activityId,
  created_at: instantOut(follow.followedAt),
});

/** An open request to enter a private hut; its author may not see more of the hut. */
export const entryRequestOut = (request: { hutId: number; createdAt: Instant }) => ({
  group_id: request.hutId,
  created_at: instantOut(request.createdAt),
});
