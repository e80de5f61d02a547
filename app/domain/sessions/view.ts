// The data of a session's pages, which the JSON twins translate to the wire format. Pure types.
import type { Goal, Totals } from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import type { ProgressLine } from "~/domain/goals/progress-line";
import type { ListPage } from "~/domain/lists";
import type { SeatRole } from "~/domain/roles";
import type { Part, Schedule } from "~/domain/schedule/shape";
import type { Scope } from "~/domain/series/form";
import type { SeriesOfSession } from "~/domain/series/view";
import type { HostLine, RoomMessage } from "~/domain/sessions/chat";
import type { Contribution } from "~/domain/sessions/texts";
import type { Instant, Seconds } from "~/domain/time";
import type { Company, NextDate, OwnLine } from "./after";
import type { SeatTerms } from "./leaving";
import type { StoredRecap } from "./recap";
import type { SessionStatus } from "./status";

type HutLine = { id: number; slug: string; title: string };
type ActivityLine = { id: number; slug: string; title: string };

/** The facts of a session that lists and its own pages share. */
type SessionFacts = {
  id: number;
  slug: string;
  /** `/sessions/{id}` */
  path: string;
  title: string;
  /** The latest summary, as plain text. */
  summary: string;
  status: SessionStatus;
  startedAt: Instant | null;
  endedAt: Instant | null;
  duration: Seconds;
  isManuallyStarted: boolean;
  isTemplate: boolean;
  /** null: the host set no limit. */
  participantLimit: number | null;
  participantsCount: number;
  /** null without a limit. */
  spotsLeft: number | null;
  needsCode: boolean;
  isFree: boolean;
  category: string | null;
  difficulty: number;
  hut: HutLine | null;
  activity: ActivityLine | null;
};

/** `guestName`: the name that a guest typed or the host has given (H-23). */
export type ShownContribution = Omit<Contribution, "userId" | "uuid"> & { guestName?: string };

/** A session as its pages show it. */
export type ShownSession = SessionFacts & {
  /** Only members of its hut see it. */
  isPrivate: boolean;
  /** The host's text. */
  content: string;
  contentHtml: string;
  contributions: readonly ShownContribution[];
  prompt: string;
  /** The length of the waiting list (G-23). */
  waitersCount: number;
  donationLink: string;
  /** For host and admins, and for participants while it is open (G-38); otherwise empty. */
  meetingLink: string;
  /** Only for people who may run the session, otherwise empty. */
  joinCode: string;
  slowMode: number;
  needsHost: boolean;
  /** Seats for guests; 0: none (H-17). */
  guestLimit: number;
  /** Somebody may sit in as a guest now (H-18). */
  takesGuests: boolean;
  isCancelled: boolean;
  /** The session ran and has closed (G-33). */
  hasRecap: boolean;
  /** The number of people who came; null without a recap. */
  came: number | null;
  /** The creator, marked with a key, under the name of the seat; empty without a seat. */
  ownerUsername: string;
  hostUsername: string | null;
  /** The host's time zone; null for the host, and for a viewer from whom the host is hidden. */
  hostZone: string | null;
  schedule: Schedule;
  /** Increases with every durable change of the room; 0 if the room did not answer. */
  roomVersion: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type ShownParticipant = {
  username: string;
  role: SeatRole;
  isHost: boolean;
  /** The user created the session (U-41). */
  isBuilder: boolean;
  isReady: boolean;
  isOnline: boolean;
  completedAt: Instant | null;
  /** The person's answer to "What will you do?", for viewers with a seat; otherwise empty. */
  aim: string;
  /** The name of the seat in acts on a person under an alias; null for everybody else. */
  handle: string | null;
  /** The name of a guest as typed (H-23). */
  guestName?: string | undefined;
};

/** The viewer's role and permissions, for display. The use cases check them again. */
export type SessionMe = {
  isSignedIn: boolean;
  /** The viewer sits in without an account (H-19). */
  isGuest: boolean;
  /** The viewer's name as typed, if a guest. */
  guestName: string;
  username: string | null;
  isJoined: boolean;
  seat: { role: SeatRole; isHost: boolean } | null;
  /** The viewer's answer to "What will you do?", and the goal of the viewer to which it is tied. */
  aim: string;
  aimGoalId: number | null;
  /** Update, start, control the schedule: host, admins, super admin. */
  canRun: boolean;
  /** End, delete, roles, hand-over: host, super admin. */
  canHost: boolean;
  canJoin: boolean;
  /** The session is full, and its list takes people (G-18). */
  canWait: boolean;
  /** The viewer's place on the waiting list, the end of an offer (G-22), and its end without another code. */
  waiting: { position: number; offeredUntil: Instant | null; codeUntil: Instant | null } | null;
  canLeave: boolean;
  /** The installation names a site of calls, and the viewer hosts (J-01). */
  canMakeCall: boolean;
  /** The facts that decide whether leaving before the start returns the token; null without a seat. */
  seatTerms: SeatTerms | null;
  /** Until when the viewer may give up a standing seat for its token, because the start moved (G-16). */
  askedUntil: Instant | null;
  canStart: boolean;
  mayDelete: boolean;
  /** Super admin only. */
  mayReset: boolean;
  mayReport: boolean;
  /** With a join code, only participants read goals, logs and forum. */
  mayRead: boolean;
  /** The viewer may change the texts or the prompt, or contribute. */
  mayEditContent: boolean;
  mayEditPrompt: boolean;
  mayContribute: boolean;
  mayPost: boolean;
  mayChat: boolean;
  /** The room sends spectators one frame, so a spectator from whom people are hidden reads the page again instead. */
  hearsLive: boolean;
  /** The viewer's writing is closed; `place` is where. */
  mute: { until: Instant | null; place: "session" | "hut" } | null;
  /** The series of the session; null for none, and for a series that has ended. */
  series: SeriesOfSession | null;
  /** The path of the link that invites to the session (H-11). */
  invitePath: string;
  /** The sentence that a person who is kept out reads. */
  closed: string | null;
};

/** A goal of the session as a participant sees it. */
export type SessionGoal = {
  goal: Goal;
  /** The goal's owner. */
  username: string;
  /** The viewer's own totals; the goal contains everybody's. */
  mine: Totals;
  /** The lines that the viewer has ticked. */
  checked: string[];
  activeLogId: number | null;
};

/** A participant's totals of one goal (E-13), in thousandths, millimetres and milliseconds. */
export type GoalTotal = { amount: number; distance: number; duration: number; listProgress: string[] };
export type ActionTotal = { amount: number; distance: number; duration: number };
export type ParticipantTotals = {
  goalTotals: Record<string, GoalTotal>;
  actionTotals: Record<string, ActionTotal>;
};

/** The data of every page of a session. */
export type SessionHead = {
  session: ShownSession;
  me: SessionMe;
  /** At most 500, the host first, then in order of joining; the socket delivers the rest. */
  participants: ShownParticipant[];
  /** All mutes for host and admins; only their own for everybody else. */
  mutes: { username: string; until: Instant | null }[];
  /** The host's line on all screens; null where the viewer may not read the chat of the host (J-12). */
  line: Omit<HostLine, "userId"> | null;
  /** Opens the room's socket for a minute; null for spectators and in an ended session. */
  ticket: string | null;
  now: Instant;
};

/** The data of the tab Details (U-39). */
export type DetailsView = SessionHead &
  Pick<SessionView, "messages" | "newUuid"> & {
    progress: ProgressLine[];
    /** The viewer's open goals, while a line may be tied to one. */
    aimGoals: { id: number; title: string }[];
  };

/** A session with its goals and newest logs; the call answers all of it. */
export type SessionView = SessionHead & {
  recentLogs: LogShown[];
  /** The newest lines of the chat while the viewer takes part, oldest first; the socket delivers the rest. */
  messages: RoomMessage[];
  goals: SessionGoal[];
  /** The viewer's own totals; null without a seat. */
  totals: ParticipantTotals | null;
  /** The uuid of the next contribution; null without a seat. */
  newUuid: string | null;
};

export type Paged = {
  page: number;
  perPage: number;
  hasNext: boolean;
  /** The cursor of the next page; null on the last page. */
  after: string | null;
};

/** Goals › My Goals: the session's goals, and personal goals that the viewer attached. */
export type SessionGoalsView = SessionHead & {
  goals: SessionGoal[];
  attached: SessionGoal[];
  /** The viewer's open goals that may be attached here. */
  attachable: { id: number; title: string }[];
  /** The viewer's running, paused and to-do logs of all these goals. */
  openLogs: LogShown[];
  totals: ParticipantTotals | null;
};

/** Goals › Member Goals: a page of participants with their totals. */
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
  /** Its text was removed; the replies stay. */
  isRemoved: boolean;
  isMine: boolean;
  mayEdit: boolean;
  mayRemove: boolean;
  replies: ShownPost[];
  /** The oldest reply shown, if the thread has earlier ones; otherwise null. */
  earlierReplies: number | null;
};
export type SessionForumView = SessionHead & Paged & { posts: ShownPost[] };

/** Oldest first. `before` is the cursor of older messages. */
export type SessionChatView = SessionHead & { messages: RoomMessage[]; before: number | null };

/** A session in a list (U-36, U-37). */
export type SessionCard = SessionFacts & {
  categoryTitle: string | null;
  isJoined: boolean;
  canJoin: boolean;
};

export type SessionListView = ListPage & {
  sessions: SessionCard[];
  categories: { slug: string; title: string }[];
  /** Templates for a new activity, shown when the list is empty (M-37). */
  templates: { slug: string; title: string; summary: string }[];
};

/** The initial values of the create and update form. */
export type SessionForm = {
  /** The version from which the edit begins; missing in the form of a new session. */
  since?: Instant;
  /** null: a new session. */
  id: number | null;
  /** The uuid of a new session, so that a repeated submit creates one. */
  uuid: string;
  /** The session that a new one repeats (G-03). */
  repeats: number | null;
  /** The chosen sessions of its series (G-10); null where there is no choice. */
  scope: Scope | null;
  values: SessionFormValues;
  /** The viewer's own and followed activities, and the requested one. */
  activities: ActivityLine[];
  /** For a new session that nothing has filled yet (H-04). */
  templates: Omit<ActivityLine, "id">[];
  /** Books that offer their next passage as the prompt of a new session (H-06). */
  books: { slug: string; title: string }[];
  huts: HutLine[];
  categories: { slug: string; title: string }[];
  goals: Goal[];
  status: SessionStatus;
  /** The viewer may change title, content and prompt; false once the session is over. */
  mayEditTexts: boolean;
  /** The viewer may change free joining, code, donation link and limit. */
  canHost: boolean;
  canRun: boolean;
  participantsCount: number;
  waitersCount: number;
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
  meetingLink: string;
  joinCode: string;
  isFree: boolean;
  /** Seats for guests; 0: none (H-17). */
  guestLimit: number;
  needsHost: boolean;
  isTemplate: boolean;
  /** Private without a hut, so that the form may make it public. */
  isPrivate: boolean;
  category: string | null;
  difficulty: number;
  schedule: Schedule;
};

/** The answer of a part call: the part, and the whole schedule. */
export type PartAnswer = { part: Part | null; goal: Goal | null; schedule: Schedule; goals: Goal[] };

/** Dark modules as the path of an SVG of `size` units. */
export type QrCode = { size: number; path: string };

/** The people of a session, for host and admins; `bans` only for the host. */
export type SessionPeopleView = SessionHead & {
  bans: { username: string; reason: string; createdAt: Instant; isOfSeries: boolean }[];
  /** The link that joins with one press, and its QR code (G-36, G-37). */
  joinLink: {
    url: string;
    qr: QrCode;
    /** The people who can join by it: everybody, members, or everybody by the hut's own invitation. */
    opensTo: "everybody" | "members" | "invited";
  };
  /** Only for the host of a session whose stage is not open to everybody (J-10). */
  viewLink: { isMade: boolean } | null;
  waiters: { username: string; since: Instant; offeredUntil: Instant | null }[];
  /** How reliably participants come, in percent; only for the host, and without people of few sessions (G-28). */
  reliability: { username: string; percent: number }[];
  /** The uuid of the next message to all. */
  newUuid: string;
};

/** A message to all participants (N-27). */
export type HostMessage = { content: string };

/** The recap of a session (G-33). */
export type ShownRecap = Omit<StoredRecap, "people"> & {
  /** The lines that the host showed on all screens (J-12). */
  hostLines: string[];
  came: number;
  missed: number;
  /** Everybody for host and admins, otherwise only the viewer. */
  people: { username: string; guestName?: string; isMe: boolean; seconds: Seconds; hasCome: boolean }[];
  isWhole: boolean;
};
export type SessionRecapView = SessionHead & {
  recap: ShownRecap;
  /** The viewer's logs of all goals. */
  myLogs: LogShown[];
  /** Null for a viewer who did not come. */
  after: AfterSession | null;
};
/** The panel after the session, for a person who came. */
export type AfterSession = Company & {
  /** Null without an answer to "What will you do?", and without a seat. */
  line: OwnLine | null;
  next: NextDate | null;
  /** Goals that a press logs the time to. */
  goals: { id: number; title: string }[];
  /** The goal of that log, once there is one. `logUuid` is the log's uuid. */
  loggedTo: { id: number; title: string } | null;
  logUuid: string;
};
