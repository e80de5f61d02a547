// Sessions: pages, lists, making and changing, taking part, the run and its parts, logs inside (C-50, C-57 to C-84, R-01,
//
import { z } from "zod";
import type { Goal } from "~/domain/goals";
import { ListQuery } from "~/domain/lists";
import type { LogShown } from "~/domain/logs";
import type { PartGroup } from "~/domain/schedule-shape";
import { SessionChange, SessionInput } from "~/domain/session-input";
import type {
  MemberGoalsView,
  PartAnswer,
  ParticipantTotals,
  SessionChatView,
  SessionForumView,
  SessionGoalsView,
  SessionHead,
  SessionLogsView,
  SessionView,
  ShownParticipant,
} from "~/domain/session-view";
import { tokensOf } from "~/domain/tokens";
import { call, fields, pageCall, reads } from "../call";
import { listQuery } from "../lists";
import { logOut } from "../logs";
import { ownId } from "../measures";
import { groupOut, partOut } from "../schedule";
import {
  at,
  goalPayload,
  newPartId,
  partIdIn,
  partKind,
  placeFields,
  sessionFields,
  sessionSaid,
  timedPayload,
} from "../session-input";
import {
  groupsOut,
  messageOut,
  participantOut,
  plainGoalOut,
  postOut,
  sessionGoalOut,
  sessionListOut,
  sessionOut,
  totalsOut,
} from "../sessions";
import { flag, flagOut, id, page } from "../values";
import { logBody } from "./logs";

const ofEvent = { event: id };
const ofSlug = { challenge: z.string().min(1).max(200) };
/** `{event}` is a session by its id, `{challenge}` one by its slug. */
const idApart = <S extends { event: number }>({ event, ...said }: S) => ({ ...said, session: event });
const slugApart = <S extends { challenge: string }>({ challenge, ...said }: S) => ({
  ...said,
  slug: challenge,
});
const byEvent = fields({ params: ofEvent }).transform(idApart);
const bySlug = fields({ params: ofSlug }).transform(slugApart);
const bit = flag.nullish().transform((value) => value ?? undefined);

// ---- pages

const crumbsOf = ({ session }: SessionHead) => [
  { title: "Home", path: "/" },
  ...(session.hut ? [{ title: `h/${session.hut.title}`, path: `/group/${session.hut.slug}` }] : []),
  ...(session.activity
    ? [{ title: session.activity.title, path: `/activities/${session.activity.slug}` }]
    : []),
  { title: session.title, path: session.path },
];
const frame = (head: SessionHead, embedded: Parameters<typeof sessionOut>[1] = {}) => ({
  session: sessionOut(head, embedded),
  breadcrumbs: crumbsOf(head),
  isOwner: flagOut(head.me.canHost),
});
const paging = ({ page, perPage, hasNext }: { page: number; perPage: number; hasNext: boolean }) => ({
  page,
  per_page: perPage,
  has_next: flagOut(hasNext),
});
const ownerOf = (head: SessionHead) => head.me.canHost;
const myUser = (head: SessionHead, totals: ParticipantTotals | null) =>
  totals && { username: head.me.username, role: head.me.seat?.role ?? 0, ...totalsOut(totals) };

const pages = {
  listSessions: pageCall("listSessions", {
    input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
    answer: sessionListOut,
  }),
  viewSession: pageCall("viewSession", {
    input: byEvent,
    answer: (view: SessionView) => {
      const tasks = view.goals.map((goal) => sessionGoalOut(goal, ownerOf(view)));
      const logs = view.recentLogs.map(logOut);
      return {
        ...frame(view, { tasks, logs }),
        goals: tasks,
        logs,
        challenge_user: myUser(view, view.totals),
      };
    },
  }),
  viewSessionGoals: pageCall("viewSessionGoals", {
    input: byEvent,
    answer: (view: SessionGoalsView) => {
      const tasks = view.goals.map((goal) => sessionGoalOut(goal, ownerOf(view)));
      return {
        ...frame(view, { tasks }),
        goals: tasks,
        my_goals: view.attached.map((goal) => sessionGoalOut(goal, true)),
        challenge_user: myUser(view, view.totals),
      };
    },
  }),
  viewMemberGoals: pageCall("viewMemberGoals", {
    input: fields({ params: ofEvent, query: { page, after: z.string().max(60).optional() } }).transform(
      idApart,
    ),
    answer: (view: MemberGoalsView) => {
      const tasks = view.goals.map((goal) => plainGoalOut(goal, view.session.ownerUsername, ownerOf(view)));
      return {
        ...frame(view, { tasks }),
        goals: tasks,
        member_goals: view.members.map((member) => participantOut(member, member)),
        ...paging(view),
        after: view.after,
      };
    },
  }),
  viewSessionLogs: pageCall("viewSessionLogs", {
    input: fields({ params: ofEvent, query: { page } }).transform(idApart),
    answer: (view: SessionLogsView) => {
      const logs = view.logs.map(logOut);
      const tasks = view.goals.map((goal) => sessionGoalOut(goal, ownerOf(view)));
      return { ...frame(view, { tasks, logs }), logs, ...paging(view) };
    },
  }),
  viewSessionForum: pageCall("viewSessionForum", {
    input: fields({ params: ofEvent, query: { page } }).transform(idApart),
    answer: (view: SessionForumView) => {
      const posts = view.posts.map(postOut);
      return { ...frame(view, { posts }), posts, ...paging(view) };
    },
  }),
  viewSessionChat: pageCall("viewSessionChat", {
    input: fields({ params: ofEvent, query: { before: id.optional().catch(undefined) } }).transform(idApart),
    answer: (view: SessionChatView) => {
      const messages = view.messages.map((message) => messageOut(message, view.session.id));
      return { ...frame(view, { messages }), messages, before: view.before };
    },
  }),
};

// ---- making and changing

type Made = SessionHead & { goals: Goal[] };
const asMade = (made: Made) => {
  const tasks = made.goals.map((goal) => plainGoalOut(goal, made.session.ownerUsername, ownerOf(made)));
  return { challenge_event: sessionOut(made, { tasks }), path: made.session.path };
};
const asHead = (head: SessionHead) => ({ challenge_event: sessionOut(head), path: head.session.path });
const repeatable = { isRepeatable: true, status: 200 } as const;

type Joined = SessionHead & { isJoined: boolean; tokens: number | null };
const asJoined = (joined: Joined) => ({
  ...asHead(joined),
  is_joined: flagOut(joined.isJoined),
  all_remaining_tokens: joined.tokens === null ? null : tokensOf(joined.tokens),
});

/** `?join_code=`, or the same in the body. */
const joinInput = z.preprocess(
  (raw) => {
    const { params, query, body } = raw as { params: object; query: Record<string, unknown>; body: unknown };
    const said = (body ?? {}) as Record<string, unknown>;
    return { ...params, joinCode: query.join_code ?? said.join_code ?? undefined };
  },
  z
    .object({
      event: id,
      joinCode: z
        .union([z.string(), z.number().transform(String)])
        .pipe(z.string().max(200))
        .optional(),
    })
    .transform(idApart),
);

const changes = {
  createSession: call("createSession", {
    input: reads(fields({ within: "challenge", body: sessionFields }), sessionSaid, SessionInput),
    isRepeatable: true,
    answer: asMade,
  }),
  patchSession: call("patchSession", {
    input: reads(
      fields({ params: ofEvent, within: "challenge", body: sessionFields }),
      ({ event, ...said }) => ({ ...sessionSaid(said), session: event }),
      SessionChange,
    ),
    answer: asMade,
  }),
  saveSessionParts: call("saveSessionParts", {
    input: reads(
      fields({
        params: ofEvent,
        within: "challenge",
        body: { parts: sessionFields.parts, tasks: sessionFields.tasks },
      }),
      ({ event, parts, tasks }) => {
        const { schedule, goals } = sessionSaid({ parts, tasks } as Parameters<typeof sessionSaid>[0]);
        return { session: event, schedule, goals };
      },
      SessionChange,
    ),
    answer: asMade,
  }),
  joinSession: call("joinSession", { input: joinInput, ...repeatable, answer: asJoined }),
  leaveSession: call("leaveSession", { input: byEvent, answer: asJoined }),
  startSession: call("startSession", { input: byEvent, answer: asHead }),
  endSession: call("endSession", { input: byEvent, answer: asHead }),
  completeSession: call("completeSession", { input: byEvent, answer: asHead }),
  changeParticipant: call("changeParticipant", {
    input: fields({
      params: { ...ofEvent, username: z.string().max(60) },
      body: {
        role: z.coerce
          .number()
          .pipe(z.literal([0, 1], "Please choose 0 (participant) or 1 (admin)."))
          .nullish(),
        host: bit,
      },
    }).transform(({ event, username, role, host }) => ({
      session: event,
      username,
      role: role ?? undefined,
      isHost: host,
    })),
    answer: (person: ShownParticipant) => ({ participant: participantOut(person) }),
  }),
  removeParticipant: call("removeParticipant", {
    input: fields({ params: { ...ofEvent, username: z.string().max(60) } }).transform(idApart),
    status: 204,
    answer: () => null,
  }),
  setReady: call("setReady", {
    input: fields({ params: ofSlug, body: { is_ready: bit } }).transform(({ challenge, is_ready }) => ({
      slug: challenge,
      isReady: is_ready,
    })),
    answer: ({ isReady, participant }: { isReady: boolean; participant: ShownParticipant }) => ({
      is_ready: flagOut(isReady),
      challenge_user: participantOut(participant),
    }),
  }),
};

// ---- parts

type Flat = Record<string, unknown>;
const isObject = (value: unknown): value is Flat =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** `{ params, body }` → one object; a `part` or `challenge` wrapper is read too. */
const flat = (raw: unknown): Flat => {
  const { params, body } = raw as { params: Flat; body: unknown };
  const bare = isObject(body) ? body : {};
  const inner = [bare.part, bare.challenge].find(isObject) ?? {};
  return { ...bare, ...inner, ...params };
};
/** Parses inside a transform: what is wrong is told at its own field. */
function parse<S extends z.ZodType>(schema: S, value: unknown, ctx: z.RefinementCtx): z.output<S> | null {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    ctx.addIssue({ code: "custom", path: issue.path, message: issue.message });
  return null;
}

const NO_PART = {} as const;
const newPart = z.unknown().transform((raw, ctx) => {
  const given = flat(raw);
  const said = parse(z.object({ ...ofSlug, ...placeFields, type: partKind, uuid: newPartId }), given, ctx);
  if (!said) return z.NEVER;
  const ref = { slug: said.challenge, uuid: said.uuid, groupId: said.events_group_uuid ?? null };
  if (said.type === "task") {
    const goal = parse(goalPayload(true), { ...given, uuid: said.uuid }, ctx);
    return goal ? { ...ref, type: said.type, goal, part: NO_PART } : z.NEVER;
  }
  const part = parse(timedPayload.read, given, ctx);
  return part ? { ...ref, type: said.type, part: timedPayload.changeOf(part), goal: NO_PART } : z.NEVER;
});

const changedPart = z.unknown().transform((raw, ctx) => {
  const given = flat(raw);
  const said = parse(z.object({ ...ofSlug, ...placeFields, part: partIdIn }), given, ctx);
  if (!said) return z.NEVER;
  const type = given.type === "task" || given.type === "event" ? (given.type as "task" | "event") : undefined;
  const ref = { slug: said.challenge, part: said.part, type };
  const goal = parse(goalPayload(false), { ...given, uuid: undefined }, type === "event" ? quiet : ctx);
  if (type === "task") return goal ? { ...ref, goal, change: NO_PART, group: NO_PART } : z.NEVER;
  const part = parse(timedPayload.read, given, ctx);
  if (!part) return z.NEVER;
  const change = {
    ...timedPayload.changeOf(part),
    groupId: said.events_group_uuid ?? undefined,
    index: said.order ?? undefined,
  };
  return { ...ref, goal: goal ?? NO_PART, change, group: timedPayload.group(given) };
});
const quiet = { addIssue() {} } as unknown as z.RefinementCtx;

const now = () => Date.now() as Parameters<typeof groupOut>[1];
const asPart = ({ part, goal, schedule, goals }: PartAnswer) => {
  const tasks = goals.map((one) => plainGoalOut(one, ""));
  const group = part && schedule.groups.find((one) => one.parts.some(({ id }) => id === part.id));
  const order = group ? group.parts.findIndex(({ id }) => id === part.id) : 0;
  return {
    part: part && group ? partOut(part, group, order, now()) : goal && plainGoalOut(goal, ""),
    task: goal && plainGoalOut(goal, ""),
    parts: groupsOut(schedule, tasks, now()),
    tasks,
  };
};
const groupFields = { uuid: partIdIn.nullish(), type: partKind, auto_start: bit };
const asGroupInput = <R extends object>({
  uuid,
  auto_start,
  ...rest
}: R & { uuid?: string | null | undefined; type: "event" | "task"; auto_start?: boolean | undefined }) => ({
  ...rest,
  uuid: uuid ?? undefined,
  isAutoStart: auto_start,
});
const asGroup = ({ group }: { group: PartGroup }) => ({ group: groupOut(group, now()) });

/** `{ uuid: order }`; a list of uuids is read too. */
const orderIn = z.union(
  [
    z.record(z.string().max(64), z.coerce.number()),
    z
      .array(z.string().max(64))
      .max(500)
      .transform((uuids) => Object.fromEntries(uuids.map((uuid, order) => [uuid, order]))),
  ],
  "Please send the order of each uuid.",
);

const control = {
  input: fields({ params: { ...ofEvent, part: partIdIn } }).transform(idApart),
  answer: asHead,
};
const parts = {
  addSessionPartGroup: call("addSessionPartGroup", {
    input: fields({ params: ofEvent, body: groupFields }).transform((said) => asGroupInput(idApart(said))),
    isRepeatable: true,
    answer: asGroup,
  }),
  addPartGroup: call("addPartGroup", {
    input: fields({ params: ofSlug, body: groupFields }).transform((said) => asGroupInput(slugApart(said))),
    isRepeatable: true,
    answer: asGroup,
  }),
  addPart: call("addPart", { input: newPart, isRepeatable: true, answer: asPart }),
  updatePart: call("updatePart", { input: changedPart, answer: asPart }),
  deletePart: call("deletePart", {
    input: fields({ params: { ...ofSlug, part: partIdIn, type: partKind } }).transform(slugApart),
    status: 204,
    answer: () => null,
  }),
  reorderParts: call("reorderParts", {
    input: fields({
      params: ofSlug,
      body: { parts: orderIn, events_group_uuid: partIdIn.nullish(), type: partKind },
    }).transform(({ challenge, parts, events_group_uuid, type }) => ({
      slug: challenge,
      type,
      order: parts,
      groupId: events_group_uuid ?? null,
    })),
    answer: asPart,
  }),
  startPart: call("startPart", control),
  pausePart: call("pausePart", control),
  resumePart: call("resumePart", control),
  finishPart: call("finishPart", control),
  resetPart: call("resetPart", control),
  adjustPart: call("adjustPart", {
    input: fields({
      params: { ...ofEvent, part: partIdIn },
      body: {
        seconds: z.coerce
          .number("Please give whole seconds.")
          .int("Please give whole seconds.")
          .min(-2_592_000, "That is too long.")
          .max(2_592_000, "That is too long."),
      },
    }).transform(idApart),
    answer: asHead,
  }),
};

// ---- texts

type Texts = { title: string; content: string; contentHtml: string; summary: string; prompt: string };
const textsOut = (texts: Texts) => ({
  title: texts.title,
  content: texts.content,
  content_html: texts.contentHtml,
  summary: texts.summary,
  prompt: texts.prompt,
});
const words = z.string("Please give a text.").max(200_000, "That is too long.");
const asSummary = ({ summary }: { summary: string }) => ({ data: summary, summary });

const texts = {
  makeSummary: call("makeSummary", { input: bySlug, answer: asSummary }),
  pollSummary: call("pollSummary", { input: bySlug, answer: asSummary }),
  streamSummary: call("streamSummary", { input: bySlug, answer: asSummary }),
  saveContent: call("saveContent", {
    input: fields({
      params: ofSlug,
      body: {
        title: z
          .string("Please give a text.")
          .max(200, "Please keep the title under 200 characters.")
          .optional(),
        content: words.optional(),
        prompt: words.max(20_000, "That is too long.").optional(),
        client_uuid: z.string().max(100).nullish(),
      },
    }).transform(({ client_uuid, ...said }) => ({
      ...slugApart(said),
      clientUuid: client_uuid ?? undefined,
    })),
    answer: textsOut,
  }),
  contributeContent: call("contributeContent", {
    input: fields({ params: ofSlug, body: { contribution: words } }).transform(slugApart),
    answer: (done: { appended: string; appendedHtml: string; texts: Texts }) => ({
      content: done.appended,
      content_html: done.appendedHtml,
      challenge_event: textsOut(done.texts),
    }),
  }),
};

// ---- logs inside

type Logged = { log: LogShown; goal: Goal | null; username: string; totals: ParticipantTotals };
const asLogged = ({ log, goal, username, totals }: Logged) => ({
  log: logOut(log),
  goal: goal && plainGoalOut(goal, username),
  challenge_user: { username, ...totalsOut(totals) },
});
const { uuid: _, ...logWithoutUuid } = logBody;
const sessionLog = { ...logBody, task_uuid: partIdIn.nullish(), type: z.unknown().optional() };
type SaidOfLog = {
  task_uuid?: string | null | undefined;
  ql_button_uuid?: string | undefined;
  timer_uuid?: string | null | undefined;
  type?: unknown;
};
const asLog = <S extends SaidOfLog>({ task_uuid, ql_button_uuid, timer_uuid, type: _type, ...rest }: S) => ({
  ...rest,
  sessionGoalUuid: task_uuid ?? null,
  qlButtonUuid: ql_button_uuid,
  timerUuid: timer_uuid,
});

const logs = {
  logInSession: call("logInSession", {
    input: fields({ params: ofEvent, body: sessionLog }).transform((said) => asLog(idApart(said))),
    isRepeatable: true,
    answer: asLogged,
  }),
  logBySlug: call("logBySlug", {
    input: fields({ params: ofSlug, body: sessionLog }).transform((said) => asLog(slugApart(said))),
    isRepeatable: true,
    answer: asLogged,
  }),
  startSessionLog: call("startSessionLog", {
    // `{uuid}` is the task's; the log's own may come as `log_uuid`.
    input: fields({
      params: { ...ofEvent, uuid: partIdIn },
      body: { ...logWithoutUuid, log_uuid: ownId, started_at: at, ended_at: at },
    }).transform(
      ({ uuid, log_uuid, started_at: _started, ended_at: _ended, ql_button_uuid, timer_uuid, ...rest }) => ({
        ...idApart(rest),
        sessionGoalUuid: uuid,
        uuid: log_uuid,
        qlButtonUuid: ql_button_uuid,
        timerUuid: timer_uuid,
      }),
    ),
    isRepeatable: true,
    answer: (done: Logged) => ({ id: done.log.id, ...asLogged(done) }),
  }),
};

export const sessionCalls = { ...pages, ...changes, ...parts, ...texts, ...logs };
