// The data of a session's page, and the list of sessions (C-50).
import { ListQuery } from "~/domain/lists";
import { SEAT_ROLE } from "~/domain/roles";
import type {
  MemberGoalsView,
  Paged,
  ParticipantTotals,
  SessionChatView,
  SessionForumView,
  SessionGoalsView,
  SessionHead,
  SessionLogsView,
  SessionView,
} from "~/domain/sessions/view";
import { fields, listCall, pageCall, reads } from "../call";
import { logOut } from "../goals/logs";
import { listQuery } from "../lists";
import { eventParams, eventToSession, sessionByEvent } from "../sessions/ids";
import {
  messageOut,
  participantOut,
  plainGoalOut,
  postOut,
  sessionGoalOut,
  sessionListOut,
  sessionOut,
  totalsOut,
} from "../sessions/sessions";
import { flagOut, forumPaging, id, limit, paging } from "../values";

const crumbsOf = ({ session }: SessionHead) => [
  { title: "Home", path: "/" },
  ...(session.hut ? [{ title: `h/${session.hut.title}`, path: `/group/${session.hut.slug}` }] : []),
  ...(session.activity
    ? [{ title: session.activity.title, path: `/activities/${session.activity.slug}` }]
    : []),
  { title: session.title, path: session.path },
];
const pageHead = (head: SessionHead, embedded: Parameters<typeof sessionOut>[1] = {}) => ({
  session: sessionOut(head, embedded),
  breadcrumbs: crumbsOf(head),
  isOwner: flagOut(head.me.canHost),
});
const pagingOut = ({ page, perPage, hasNext, after }: Paged) => ({
  page,
  per_page: perPage,
  has_next: flagOut(hasNext),
  after,
});
const isHostOf = (head: SessionHead) => head.me.canHost;
const ownTotals = (head: SessionHead, totals: ParticipantTotals | null) =>
  totals && {
    username: head.me.username,
    role: head.me.seat?.role ?? SEAT_ROLE.participant,
    ...totalsOut(totals),
  };

const lineNumber = id.optional().catch(undefined);

export const sessionPageCalls = {
  listSessions: listCall("GET /api/events", "List sessions", {
    scope: "read",
    rows: "sessions",
    input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
    answer: sessionListOut,
  }),
  viewSession: pageCall("GET /api/sessions/{event}", "Read a session", {
    scope: "read",
    input: sessionByEvent,
    answer: (view: SessionView) => {
      const tasks = view.goals.map((goal) => sessionGoalOut(goal, isHostOf(view)));
      const logs = view.recentLogs.map(logOut);
      return {
        ...pageHead(view, { tasks, logs }),
        goals: tasks,
        logs,
        challenge_user: ownTotals(view, view.totals),
      };
    },
  }),
  viewSessionGoals: pageCall("GET /api/sessions/{event}/goals", "List the goals of a session", {
    scope: "read",
    input: sessionByEvent,
    answer: (view: SessionGoalsView) => {
      const tasks = view.goals.map((goal) => sessionGoalOut(goal, isHostOf(view)));
      return {
        ...pageHead(view, { tasks }),
        goals: tasks,
        my_goals: view.attached.map((goal) => sessionGoalOut(goal, true)),
        challenge_user: ownTotals(view, view.totals),
      };
    },
  }),
  viewMemberGoals: listCall(
    "GET /api/sessions/{event}/member-goals",
    "List the participants' goals of a session",
    {
      scope: "read",
      rows: "members",
      input: fields({ params: eventParams, query: paging }).transform(eventToSession),
      answer: (view: MemberGoalsView) => {
        const tasks = view.goals.map((goal) =>
          plainGoalOut(goal, view.session.ownerUsername, isHostOf(view)),
        );
        return {
          ...pageHead(view, { tasks }),
          goals: tasks,
          member_goals: view.members.map((member) => participantOut(member, member)),
          ...pagingOut(view),
          after: view.after,
        };
      },
    },
  ),
  viewSessionLogs: listCall("GET /api/sessions/{event}/logs", "List the logs of a session", {
    scope: "read",
    rows: "logs",
    input: fields({ params: eventParams, query: paging }).transform(eventToSession),
    answer: (view: SessionLogsView) => {
      const logs = view.logs.map(logOut);
      const tasks = view.goals.map((goal) => sessionGoalOut(goal, isHostOf(view)));
      return { ...pageHead(view, { tasks, logs }), logs, ...pagingOut(view) };
    },
  }),
  viewSessionForum: listCall("GET /api/sessions/{event}/hut", "Read the forum of a session", {
    scope: "read",
    rows: "posts",
    input: fields({ params: eventParams, query: forumPaging }).transform(eventToSession),
    answer: (view: SessionForumView) => {
      const posts = view.posts.map(postOut);
      return { ...pageHead(view, { posts }), posts, ...pagingOut(view) };
    },
  }),
  viewSessionChat: listCall("GET /api/sessions/{event}/chat", "Read the chat of a session", {
    scope: "read",
    rows: "messages",
    input: fields({
      params: eventParams,
      query: { before: lineNumber, after: lineNumber, limit: limit.optional() },
    }).transform(({ after, ...pageFields }) =>
      eventToSession({ ...pageFields, before: pageFields.before ?? after }),
    ),
    answer: (view: SessionChatView) => {
      const messages = view.messages.map((message) => messageOut(message, view.session.id));
      return { ...pageHead(view, { messages }), messages, before: view.before };
    },
  }),
};
