// What the pages of a session are given, in our own words: the same values the JSON twins translate. Pure types.
import type { Goal, Totals } from "./goals";
import type { ListPage } from "./lists";
import type { LogShown } from "./logs";
import type { RoomMessage } from "./room";
import type { Part, Schedule } from "./schedule-shape";
import type { SessionStatus } from "./session-status";
import type { Instant, Seconds } from "./time";

type HutLine = { id: number; slug: string; title: string };
type ActivityLine = { id: number; slug: string; title: string };

/** A session as its own pages show it. */
export type ShownSession = {
  id: number;
  slug: string;
  /** `/sessions/{id}` */
  path: string;
  title: string;
  content: string;
  contentHtml: string;
  /** Plain text; the newest that was made. */
  summary: string;
  prompt: string;
  status: SessionStatus;
  startedAt: Instant | null;
  endedAt: Instant | null;
  duration: Seconds;
  isManuallyStarted: boolean;
  isTemplate: boolean;
  /** null: no limit of the host's own. */
  participantLimit: number | null;
  participantsCount: number;
  /** null where there is no limit. */
  spotsLeft: number | null;
  donationLink: string;
  /** Only for those who may run the session; for everybody else empty. */
  joinCode: string;
  needsCode: boolean;
  slowMode: number;
  isFree: boolean;
  category: string | null;
  difficulty: number;
  hut: HutLine | null;
  activity: ActivityLine | null;
  /** The builder, who shows the key. */
  ownerUsername: string;
  hostUsername: string | null;
  schedule: Schedule;
  /** Grows with every durable change of the room; 0 where the room has not spoken. */
  roomVersion: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type ShownParticipant = {
  username: string;
  role: 0 | 1;
  isHost: boolean;
  /** Built the session: the key beside the name (U-41). */
  isBuilder: boolean;
  isReady: boolean;
  isOnline: boolean;
  completedAt: Instant | null;
};

/** What the one who looks is, and may do here. The use cases decide again. */
export type SessionMe = {
  isSignedIn: boolean;
  username: string | null;
  isJoined: boolean;
  seat: { role: 0 | 1; isHost: boolean } | null;
  /** Update, start, control the schedule: host, admins, super admin. */
  canRun: boolean;
  /** End, delete, roles, hand-over: host, super admin. */
  canHost: boolean;
  canJoin: boolean;
  canLeave: boolean;
  canStart: boolean;
  mayDelete: boolean;
  /** Super admin only. */
  mayReset: boolean;
  /** Goals, logs, forum of a session with a join code are for those inside. */
  mayRead: boolean;
  /** The texts may be changed now, the prompt, and one's own contribution given. */
  mayEditContent: boolean;
  mayEditPrompt: boolean;
  mayContribute: boolean;
  mayPost: boolean;
  mayChat: boolean;
};

/** A goal of the session as one participant sees it. */
export type SessionGoal = {
  goal: Goal;
  /** Whose goal it is. */
  username: string;
  /** My own part of it; everybody's together stands on the goal. */
  mine: Totals;
  /** The lines I have ticked. */
  checked: string[];
  activeLogId: number | null;
};

/** What one participant did of each goal, by the goal's uuid (E-13). Thousandths, thousandths, milliseconds. */
export type GoalTotal = { amount: number; distance: number; duration: number; listProgress: string[] };
export type ActionTotal = { amount: number; distance: number; duration: number };
export type ParticipantTotals = {
  goalTotals: Record<string, GoalTotal>;
  actionTotals: Record<string, ActionTotal>;
};

/** What every page of a session carries. */
export type SessionHead = {
  session: ShownSession;
  me: SessionMe;
  /** At most 500, the host first, then in order of joining; the socket brings the rest. */
  participants: ShownParticipant[];
  now: Instant;
};

/** Details (U-39). */
export type SessionView = SessionHead & {
  recentLogs: LogShown[];
  goals: SessionGoal[];
  /** My own totals, null where I have no seat. */
  totals: ParticipantTotals | null;
};

export type Paged = {
  page: number;
  perPage: number;
  hasNext: boolean;
  /** The cursor of the next page; null on the last page. */
  after: string | null;
};

/** Goals › My Goals: the session's goals as mine, and my own that I attached to it. */
export type SessionGoalsView = SessionHead & {
  goals: SessionGoal[];
  attached: SessionGoal[];
  /** My open goals that I may attach here. */
  attachable: { id: number; title: string }[];
  /** Mine that run, are paused or still to do, of all these goals. */
  openLogs: LogShown[];
  totals: ParticipantTotals | null;
};

/** Goals › Member Goals: a page of participants, each with what they did. */
export type MemberGoalsView = SessionHead &
  Paged & {
    goals: Goal[];
    members: (ShownParticipant & ParticipantTotals)[];
  };

/** Goals › Logs. */
export type SessionLogsView = SessionHead & Paged & { logs: LogShown[]; goals: SessionGoal[] };

export type ShownPost = {
  id: number;
  username: string;
  title: string;
  content: string;
  contentHtml: string;
  parentId: number | null;
  createdAt: Instant;
  editedAt: Instant | null;
  /** Its text is gone; the replies stay. */
  isRemoved: boolean;
  isMine: boolean;
  mayEdit: boolean;
  mayRemove: boolean;
  replies: ShownPost[];
};
export type SessionForumView = SessionHead & Paged & { posts: ShownPost[] };

/** Oldest first. `before` asks for what was said before the first. */
export type SessionChatView = SessionHead & { messages: RoomMessage[]; before: number | null };

/** A session in a list (U-36, U-37). */
export type SessionCard = {
  id: number;
  slug: string;
  path: string;
  title: string;
  summary: string;
  status: SessionStatus;
  startedAt: Instant | null;
  endedAt: Instant | null;
  duration: Seconds;
  isManuallyStarted: boolean;
  isTemplate: boolean;
  participantLimit: number | null;
  participantsCount: number;
  spotsLeft: number | null;
  isFree: boolean;
  needsCode: boolean;
  category: string | null;
  categoryTitle: string | null;
  difficulty: number;
  hut: HutLine | null;
  activity: ActivityLine | null;
  isJoined: boolean;
  canJoin: boolean;
};

export type SessionListView = ListPage & {
  sessions: SessionCard[];
  categories: { slug: string; title: string }[];
  /** Patterns to make an activity from, for a list that is empty (M-37). */
  templates: { slug: string; title: string; summary: string }[];
};

/** What the create and update form starts from. */
export type SessionForm = {
  /** null: a new session. */
  id: number | null;
  /** For the session that is made here: sending the form twice makes one. */
  uuid: string;
  values: SessionFormValues;
  /** Mine and those I follow, and the one that was asked for. */
  activities: ActivityLine[];
  huts: HutLine[];
  categories: { slug: string; title: string }[];
  goals: Goal[];
  status: SessionStatus;
  /** Title, content and prompt: not once the session is over. */
  mayEditTexts: boolean;
  /** Free joining, code, donation link, limit. */
  canHost: boolean;
  canRun: boolean;
  participantsCount: number;
};
export type SessionFormValues = {
  title: string;
  content: string;
  prompt: string;
  activitySlug: string | null;
  hutId: number | null;
  startedAt: Instant | null;
  duration: Seconds;
  isManuallyStarted: boolean;
  participantLimit: number | null;
  donationLink: string;
  joinCode: string;
  isFree: boolean;
  isTemplate: boolean;
  category: string | null;
  difficulty: number;
  schedule: Schedule;
};

/** What a part call answers: the part that was meant, and the whole as it stands now. */
export type PartAnswer = { part: Part | null; goal: Goal | null; schedule: Schedule; goals: Goal[] };
