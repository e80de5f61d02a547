// The wire format of sessions (E-06, E-08, E-13, E-15, E-16). Groups hold timers or goals, and each viewer sees only
// permitted fields.
import { milesOut } from "~/domain/distances";
import type { Goal } from "~/domain/goals/goals";
import type { Schedule } from "~/domain/schedule/shape";
import type { RoomMessage } from "~/domain/sessions/chat";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type {
  ActionTotal,
  GoalTotal,
  ParticipantTotals,
  SessionCard,
  SessionGoal,
  SessionHead,
  SessionListView,
  ShownParticipant,
  ShownPost,
} from "~/domain/sessions/view";
import { type Instant, SECOND } from "~/domain/time";
import { type GoalDetails, goalOut } from "~/wire/goals/goals";
import type { logOut } from "~/wire/goals/logs";
import { listOut, templateOut, termsOut } from "~/wire/lists";
import { textsOut } from "~/wire/room/operations";
import { scheduleOut } from "~/wire/schedule/schedule";
import { decimalOut, flagOut, instantOut } from "~/wire/values";

const MESSAGEABLE = "challenge_event";

export type Embedded = {
  tasks?: readonly ReturnType<typeof goalOut>[];
  logs?: readonly ReturnType<typeof logOut>[];
  posts?: readonly ReturnType<typeof postOut>[];
  messages?: readonly ReturnType<typeof messageOut>[];
};

/** Groups with their parts; a goal group holds the goals that name it. */
export function groupsOut(schedule: Schedule, tasks: Embedded["tasks"], now: Instant) {
  return scheduleOut(schedule, now).map((group) =>
    group.type === "task"
      ? { ...group, parts: (tasks ?? []).filter((task) => task.events_group_uuid === group.uuid) }
      : group,
  );
}

export function sessionOut({ session, me, participants, mutes, now }: SessionHead, embedded: Embedded = {}) {
  const { startedAt, endedAt, status } = session;
  const tasks = embedded.tasks ?? [];
  return {
    id: session.id,
    slug: session.slug,
    title: session.title,
    path: session.path,
    ...textsOut(session),
    summary: session.summary,
    prompt: session.prompt,
    status,
    is_preset: flagOut(session.isTemplate),
    is_joined: flagOut(me.isJoined),
    is_manually_started: flagOut(session.isManuallyStarted),
    started_at: instantOut(startedAt),
    ended_at: instantOut(endedAt),
    started_at_obj:
      startedAt === null
        ? null
        : { date: new Date(startedAt).toISOString().slice(0, 19).replace("T", " "), timezone: "UTC" },
    duration: session.duration,
    /** Milliseconds until the end while running, before that the whole duration. */
    remaining_duration:
      status === SESSION_STATUS.ended
        ? 0
        : status === SESSION_STATUS.running && endedAt !== null
          ? Math.max(0, endedAt - now)
          : session.duration * SECOND,
    participant_limit: session.participantLimit,
    participants_count: session.participantsCount,
    spots_left: session.spotsLeft,
    waiters_count: session.waitersCount,
    donation_link: session.donationLink,
    meeting_link: session.meetingLink || null,
    join_code: me.canRun ? session.joinCode : null,
    is_free: flagOut(session.isFree),
    guest_limit: session.guestLimit,
    needs_host: flagOut(session.needsHost),
    slow_mode: session.slowMode,
    can_join: flagOut(me.canJoin),
    needs_code: flagOut(session.needsCode),
    hut_id: session.hut?.id ?? null,
    group_id: session.hut?.id ?? null,
    hut_slug: session.hut?.slug ?? null,
    hut: session.hut,
    challenge_id: session.activity?.id ?? null,
    challenge_slug: session.activity?.slug ?? null,
    challenge: session.activity && { ...session.activity, path: `/activities/${session.activity.slug}` },
    category: session.category,
    difficulty: session.difficulty,
    username: session.ownerUsername,
    host: session.hostUsername,
    parts: groupsOut(session.schedule, tasks, now),
    tasks,
    participants: participants.map((participant) => participantOut(participant)),
    mutes: mutes.map(({ username, until }) => ({ username, until: instantOut(until) })),
    messages: embedded.messages ?? [],
    logs: embedded.logs ?? [],
    posts: embedded.posts ?? [],
    version: session.roomVersion,
    me: {
      username: me.username,
      is_joined: flagOut(me.isJoined),
      role: me.seat?.role ?? null,
      is_host: flagOut(me.seat?.isHost ?? false),
      aim: me.aim,
      aim_goal_id: me.aimGoalId,
      can_run: flagOut(me.canRun),
      can_host: flagOut(me.canHost),
      can_start: flagOut(me.canStart),
      can_leave: flagOut(me.canLeave),
      can_wait: flagOut(me.canWait),
      waiting: me.waiting && {
        position: me.waiting.position,
        offered_until: instantOut(me.waiting.offeredUntil),
        code_until: instantOut(me.waiting.codeUntil),
      },
      may_delete: flagOut(me.mayDelete),
      may_reset: flagOut(me.mayReset),
      may_read: flagOut(me.mayRead),
      may_post: flagOut(me.mayPost),
      may_chat: flagOut(me.mayChat),
      may_contribute: flagOut(me.mayContribute),
      edit_content: flagOut(me.mayEditContent),
      edit_prompt: flagOut(me.mayEditPrompt),
      is_muted: flagOut(me.mute !== null),
      muted_until: instantOut(me.mute?.until ?? null),
      closed: me.closed,
    },
    created_at: instantOut(session.createdAt),
    updated_at: instantOut(session.updatedAt),
  };
}

/** A session as a card in a list (U-36). */
export const sessionCardOut = (card: SessionCard) => ({
  id: card.id,
  slug: card.slug,
  title: card.title,
  path: card.path,
  summary: card.summary,
  status: card.status,
  is_preset: flagOut(card.isTemplate),
  is_joined: flagOut(card.isJoined),
  is_manually_started: flagOut(card.isManuallyStarted),
  started_at: instantOut(card.startedAt),
  ended_at: instantOut(card.endedAt),
  duration: card.duration,
  participant_limit: card.participantLimit,
  participants_count: card.participantsCount,
  spots_left: card.spotsLeft,
  is_free: flagOut(card.isFree),
  can_join: flagOut(card.canJoin),
  needs_code: flagOut(card.needsCode),
  category_name: card.categoryTitle,
  category: card.category,
  difficulty: card.difficulty,
  hut_id: card.hut?.id ?? null,
  group_id: card.hut?.id ?? null,
  hut_slug: card.hut?.slug ?? null,
  challenge_id: card.activity?.id ?? null,
  challenge_slug: card.activity?.slug ?? null,
  challenge_title: card.activity?.title ?? null,
});

export const sessionListOut = (list: SessionListView) => ({
  challengeEvents: list.sessions.map(sessionCardOut),
  sessions: list.sessions.map(sessionCardOut),
  templates: list.templates.map(templateOut),
  ...termsOut(list.categories),
  ...listOut(list),
});

// ---- participants

const totalOut = ({ amount, distance, duration }: ActionTotal) => ({
  amount: decimalOut(amount),
  distance: milesOut(distance),
  duration,
});
const goalTotalOut = (total: GoalTotal) => ({ ...totalOut(total), list_progress: total.listProgress });
const mapValues = <A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

export const totalsOut = ({ goalTotals, actionTotals }: ParticipantTotals) => ({
  task_totals: mapValues(goalTotals, goalTotalOut),
  task_action_totals: mapValues(actionTotals, totalOut),
});
const NO_TOTALS: ParticipantTotals = { goalTotals: {}, actionTotals: {} };

/** Totals are included where pages show them: with member goals and the viewer's own logs. */
export const participantOut = (person: ShownParticipant, totals: ParticipantTotals = NO_TOTALS) => ({
  username: person.username,
  role: person.role,
  is_host: flagOut(person.isHost),
  is_builder: flagOut(person.isBuilder),
  is_ready: flagOut(person.isReady),
  is_online: flagOut(person.isOnline),
  completed_at: instantOut(person.completedAt),
  aim: person.aim,
  ...(person.guestName ? { guest_name: person.guestName } : {}),
  ...(person.handle === null ? {} : { handle: person.handle }),
  ...totalsOut(totals),
});

// ---- goals, posts, messages

/** A goal of the session as one participant sees it. */
export const sessionGoalOut = (
  { goal, username, mine, checked, activeLogId }: SessionGoal,
  isOwner: boolean,
) => goalOut(goal, { isOwner, username, activeLogId, totals: mine, checked } satisfies GoalDetails);

/** A goal of the session with everybody's combined progress. */
export const plainGoalOut = (goal: Goal, username: string, isOwner = false) =>
  goalOut(goal, { isOwner, username, activeLogId: null });

export type PostWire = {
  id: number;
  title: string;
  content: string;
  content_html: string;
  parent_id: number | null;
  username: string;
  created_at: string | null;
  edited_at: string | null;
  is_removed: 0 | 1;
  is_owner: 0 | 1;
  replies: PostWire[];
  /** `earlier` for the replies before these; null if there are none. */
  earlier_replies: number | null;
};
type Post = Omit<ShownPost, "mayEdit" | "mayRemove" | "replies"> & { replies: readonly Post[] };
export const postOut = (post: Post): PostWire => ({
  id: post.id,
  title: post.title,
  content: post.content,
  content_html: post.contentHtml,
  parent_id: post.parentId,
  username: post.username,
  created_at: instantOut(post.createdAt),
  edited_at: instantOut(post.editedAt),
  is_removed: flagOut(post.isRemoved),
  is_owner: flagOut(post.isMine),
  replies: post.replies.map(postOut),
  earlier_replies: post.earlierReplies,
});

type Contribution = { sessionId: number; username: string | null; content: string; createdAt: Instant };
/** A text that a participant contributed to a session. */
export const contributionOut = (contribution: Contribution) => ({
  challenge_event_id: contribution.sessionId,
  username: contribution.username,
  content: contribution.content,
  created_at: instantOut(contribution.createdAt),
});

/** The answer of a session update. */
export const sessionHeadOut = (head: SessionHead) => ({
  challenge_event: sessionOut(head),
  path: head.session.path,
});

export const messageOut = (message: RoomMessage, event: number, clientUuid: string | null = null) => ({
  seq: message.seq,
  nonce: message.nonce,
  content: message.content,
  username: message.username,
  created_at: instantOut(message.createdAt),
  edited_at: instantOut(message.editedAt),
  is_removed: flagOut(message.isRemoved),
  messageable_type: MESSAGEABLE,
  messageable_id: event,
  client_uuid: clientUuid,
});
