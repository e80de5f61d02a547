// The public page of a series (H-09 to H-13): its dates, its thread, and the session that its address opens.

import * as pageQueries from "#db/queries/series/page";
import * as seriesQueries from "#db/queries/series/series";
import { type SeriesRef, seriesIdAt } from "#db/queries/series/slugs";
import { selectSessionCards } from "#db/queries/sessions/cards";
import { STANDING_SEAT_PREFIX } from "#db/queries/sessions/paid-seats";
import { plusDays } from "~/domain/days";
import { AppError, invalid } from "~/domain/errors";
import { cursorOf, pagedById, shownRows } from "~/domain/list-pages";
import { writingRefusalOf } from "~/domain/may-write";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { closedAmong } from "~/domain/safety/sanctions";
import { seriesAddress } from "~/domain/series/address";
import * as seriesRefusals from "~/domain/series/refusals";
import type { EmbedView } from "~/domain/sessions/embed";
import type { PlaceDate, PlacePost, PlaceSession, SeriesPlace } from "~/domain/sessions/series-place";
import { takesGuests } from "~/domain/sessions/spots";
import type { StageView } from "~/domain/sessions/stage";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { SessionCard, ShownPost } from "~/domain/sessions/view";
import { codeExpiryOf } from "~/domain/sessions/waiting";
import { type App, asVisitor } from "~/use-cases/app.server";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import {
  type ForumQuery,
  replyBounds,
  showThread,
  type Threads,
} from "~/use-cases/sessions/forum-page.server";
import { showCard } from "~/use-cases/sessions/list.server";
import { createPost, type PostDraft } from "~/use-cases/sessions/posts.server";
import { placeOf, sessionPath, viewRoom } from "~/use-cases/sessions/read.server";
import { choiceOf, embedOf, type StageChoice, showStage, stageRows } from "~/use-cases/sessions/stage.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { seriesNotFound } from "./series.server";
import { daysOf, ruleTextOf, seriesPath } from "./view.server";

/** The dates of the page, besides a running session. */
const DATES_A_PAGE = 5;
/** Dates that are read for a page, because some of them may be skipped. */
const MAX_DATES_READ = 3 * DATES_A_PAGE;
/** More sessions than a daily series has ahead. */
const MAX_UPCOMING_ROWS = 40;
const RECAPS = { within: 20, limit: 5 };

type AheadRow = Awaited<ReturnType<typeof pageQueries.listOpenSessions>>[number];
type ThreadRow = Awaited<ReturnType<typeof pageQueries.listThread>>[number];

/** The page of a series by its address, present or former, for everybody who sees its sessions. NOT_FOUND for others. */
export async function viewSeriesPlace(
  app: App,
  input: ForumQuery & { series: string },
): Promise<SeriesPlace> {
  const { db, now } = app;
  const bounds = replyBounds(input, app.settings);
  const ref = input.series;
  const viewer = viewerOf(app);
  const reader = { viewer, userId: app.user?.id ?? 0, seesAll: isSuperAdmin(app.user) };
  const paging = { page: input.page, perPage: app.settings.perPage, after: cursorOf(input) };
  const yesterday = plusDays(new Date(now).toISOString().slice(0, 10), -1);
  const scope = { seriesId: seriesIdAt(ref) };
  const [[row], [facts], changes, days, cards, upcoming, recaps, thread, replies] = await db.batch([
    seriesQueries.findSeries(db, ref, viewer),
    pageQueries.findPageFacts(db, ref, viewer),
    seriesQueries.listDays(db, ref, yesterday),
    seriesQueries.listSessions(db, ref, yesterday),
    selectSessionCards(db, { ...scope, now, userId: viewer, page: 1, perPage: DATES_A_PAGE }),
    pageQueries.listOpenSessions(db, ref, viewer, MAX_UPCOMING_ROWS),
    pageQueries.listRecaps(db, ref, viewer, RECAPS),
    pageQueries.listThread(db, ref, reader, paging),
    pageQueries.listThreadReplies(db, ref, reader, paging, bounds),
  ]);
  // A ban from a public hut hides nothing that everybody sees (H-13).
  if (!row || !facts || (!row.isOpen && row.isPrivate)) throw seriesNotFound();
  const sessions = cards.map((card) => showCard(app, card));
  const threads = shownRows(thread, paging);
  app.shownRecords.push(
    { of: "series", id: row.id },
    ...[...sessions.map(({ id }) => id), ...threads.flatMap(({ sessionId }) => sessionId ?? [])].map(
      (id) => ({ of: "sessions", id }) as const,
    ),
  );
  const needsCode = (row.template.joinCode ?? "") !== "";
  if (needsCode || sessions.some((session) => session.needsCode)) app.hasCode = true;
  const seats = new Map(upcoming.map((session) => [session.id, session]));
  const dates = await datesOfPlace(
    row,
    sessions.map((card) => ({ card, seat: seats.get(card.id) })),
    row.endedAt === null ? await daysOf(app, row, changes, days, MAX_DATES_READ) : [],
  );
  const [nextCard] = sessions;
  const nextSeat = nextCard && seats.get(nextCard.id);
  const closedBan = closedAmong(facts.sanctions, now);
  const isMine = row.ownerId === app.user?.id;
  const postRefusal = nextSeat && writingRefusal(app, nextSeat.seat !== null, nextSeat.sanctions);
  const hosts = upcoming.flatMap((session) =>
    session.host !== null && !session.isHostHidden ? [session.host] : [],
  );
  return {
    series: {
      id: row.id,
      path: seriesPath(row.id),
      address: seriesAddress(row),
      title: row.title,
      ruleText: ruleTextOf(row),
      timeZone: row.timeZone,
      isMine,
      isPaused: row.pausedAt !== null,
      hasEnded: row.endedAt !== null,
      needsCode,
      isFree: row.template.isFree ?? false,
      standingSince: row.standingSince,
      codeExpiresAt: codeExpiryOf(row.codeAskedAt),
    },
    hut: placeOf(facts.hutId, facts.hutSlug, facts.hutTitle),
    contentHtml: facts.contentHtml ?? "",
    hosts: [...new Set(upcoming.length > 0 ? hosts : [row.ownerName].filter(Boolean))],
    dates,
    next: nextCard ? showSession(nextCard, nextSeat) : null,
    recaps: recaps.map(({ id, ...recap }) => ({ ...recap, session: id, path: `${sessionPath(id)}/recap` })),
    posts: threads.map((post) => showInPlace(app, post, { replies, perThread: bounds.perThread })),
    ...pagedById(thread, paging),
    me: {
      isSignedIn: app.user !== null,
      canStand: !isMine && row.standingSince === null && row.endedAt === null && closedBan === null,
      mayPost: postRefusal === null,
      closed: closedBan,
      refusal: postRefusal && postRefusal.why !== "outside" ? postRefusal.sentence : null,
    },
    now,
  };
}

const writingRefusal = (app: App, belongs: boolean, sanctions: AheadRow["sanctions"]) =>
  writingRefusalOf(app, { kind: "session", belongs, sanctions }, app.now);

type CardWithSeat = { card: SessionCard; seat: AheadRow | undefined };

/**
 * The dates in order: sessions that the viewer sees, dates that are not laid out yet, and skipped or cancelled ones
 * between them.
 */
async function datesOfPlace(
  row: seriesQueries.ShownSeriesRow,
  sessions: readonly CardWithSeat[],
  days: Awaited<ReturnType<typeof daysOf>>,
): Promise<PlaceDate[]> {
  const { instantOf } = await loadSeriesDates();
  const atOf = (day: string) => instantOf(day, row.localStart.slice(11), row.timeZone);
  const sessionDates = sessions.map(
    ({ card, seat }): PlaceDate => ({
      at: card.startedAt,
      state: "laid",
      isMoved: card.startedAt !== null && seat !== undefined && card.startedAt !== atOf(seat.day),
      session: showSession(card, seat),
    }),
  );
  const isHeld = row.pausedAt === null;
  const otherDates = days.flatMap(({ at, state, isMoved }): PlaceDate[] =>
    state === "laid" || (state === "planned" && !isHeld) ? [] : [{ at, state, isMoved, session: null }],
  );
  const atEnd = Number.POSITIVE_INFINITY;
  const dates = [...sessionDates, ...otherDates].sort((a, b) => (a.at ?? atEnd) - (b.at ?? atEnd));
  const isRunning = ({ session }: PlaceDate) => session?.status === SESSION_STATUS.running;
  // Running, skipped and cancelled dates do not count towards the page's number of dates.
  const countedIndexes = dates.flatMap((date, index) =>
    (date.state === "laid" && !isRunning(date)) || date.state === "planned" ? [index] : [],
  );
  const end =
    countedIndexes.length > DATES_A_PAGE ? countedIndexes[DATES_A_PAGE] : (countedIndexes.at(-1) ?? -1) + 1;
  return dates.slice(0, Math.max(end ?? 0, dates.filter(isRunning).length));
}

function showSession(card: SessionCard, seat: AheadRow | undefined): PlaceSession {
  const mayLeave = seat != null && seat.seat !== null && !seat.isHost;
  return {
    id: card.id,
    path: card.path,
    status: card.status,
    participantsCount: card.participantsCount,
    participantLimit: card.participantLimit,
    spotsLeft: card.spotsLeft,
    needsCode: card.needsCode,
    isFree: card.isFree,
    isJoined: card.isJoined,
    canJoin: card.canJoin,
    host: seat && !seat.isHostHidden ? seat.host : null,
    takesGuests: seat !== undefined && takesGuests(seat),
    seatTerms: mayLeave
      ? {
          joinedStart: seat.joinedStart,
          isStanding: seat.seat?.startsWith(STANDING_SEAT_PREFIX) ?? false,
          askedAt: seat.askedAt,
          isOwn: seat.isOwn,
          returnsUntil: null,
        }
      : null,
  };
}

/** A post of the thread, as its session's forum shows it to this reader. */
function showInPlace(app: App, row: ThreadRow, threads: Omit<Threads, "standing">): PlacePost {
  const seat = row.seatRole === null ? null : { role: row.seatRole, isHost: row.seatIsHost };
  return {
    ...showThread(app, row, { ...threads, standing: { seat } }),
    session: { path: `${sessionPath(row.sessionId ?? 0)}/hut`, startedAt: row.sessionStart },
    mayReply: row.removedAt === null && writingRefusal(app, seat !== null, row.sanctions) === null,
  };
}

/**
 * The address that `next` leads to (H-10): of the running session, otherwise of the next one, otherwise of the series.
 */
export async function viewNext(app: App, input: { series: string }): Promise<{ path: string }> {
  const { series, next } = await readNext(app, input.series);
  return { path: next === null ? seriesAddress(series) : sessionPath(next) };
}

/** The card of whatever `next` opens, otherwise of the series (J-11). NOT_FOUND unless every visitor sees the series. */
export async function viewSeriesEmbed(
  app: App,
  { series: ref, ...choice }: StageChoice & { series: string },
): Promise<EmbedView> {
  const { series, stage } = await readNextStage(app, ref);
  if (stage) return embedOf(choice, { stage });
  return embedOf(choice, { stage, title: series.title, path: seriesAddress(series) });
}

/** The stage of whatever `next` opens (J-09), the same for everybody. NOT_FOUND unless every visitor sees the series. */
export async function viewSeriesStage(
  app: App,
  { series: ref, ...choice }: StageChoice & { series: string },
): Promise<StageView> {
  const { series, stage } = await readNextStage(app, ref);
  return { title: stage?.session.title ?? series.title, stage, ...choiceOf(choice) };
}

async function readNextStage(app: App, ref: SeriesRef) {
  const visitor = asVisitor(app);
  const viewer = viewerOf(visitor);
  const next = pageQueries.selectNextSessionId(ref, app.now, viewer);
  const [[series], [row], apart] = await app.db.batch([
    pageQueries.findVisibleSeries(app.db, ref, viewer),
    ...stageRows(app, next),
  ]);
  if (!series) throw seriesNotFound();
  app.shownRecords.push({ of: "series", id: series.id });
  const stage = row ? await showStage(app, { row, apart, view: await viewRoom(visitor, row.id) }) : null;
  return { series, stage };
}

async function readNext(app: App, ref: SeriesRef) {
  const viewer = viewerOf(app);
  const [[series], [next]] = await app.db.batch([
    pageQueries.findVisibleSeries(app.db, ref, viewer),
    pageQueries.findNextSession(app.db, ref, app.now, viewer),
  ]);
  if (!series) throw seriesNotFound();
  return { series, next: next?.id ?? null };
}

/**
 * A post of the thread belongs to the session that `next` opens, a reply to the session of its thread (H-12). It needs
 * what that session's forum needs.
 */
export async function createSeriesPost(
  app: App,
  { series, ...draft }: PostDraft & { series: string },
): Promise<ShownPost> {
  requireUser(app.user, refusals.signInToPost);
  if (draft.parentId) {
    const [[foundSeries], [post]] = await app.db.batch([
      pageQueries.findVisibleSeries(app.db, series, viewerOf(app)),
      pageQueries.findSessionOfPost(app.db, series, draft.parentId),
    ]);
    if (!foundSeries) throw seriesNotFound();
    if (post?.id == null) throw invalid("parentId", seriesRefusals.noPostParent);
    return createPost(app, { session: post.id, ...draft });
  }
  const { next } = await readNext(app, series);
  if (next === null) throw new AppError("CONFLICT", seriesRefusals.noSessionToPostIn);
  return createPost(app, { session: next, ...draft });
}
