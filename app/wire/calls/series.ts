// Series of sessions, their days, and standing seats (G-04 to G-13).
import { z } from "zod";
import { numberIn } from "~/domain/number-fields";
import type { SeriesView, ShownSeries } from "~/domain/series/view";
import { SessionFields, SessionInput } from "~/domain/sessions/input";
import type { PlaceSession, SeriesPlace } from "~/domain/sessions/series-place";
import { oneLine } from "~/domain/text-fields";
import { call, fields, nothing, pageCall, reads } from "../call";
import { seriesOut } from "../series/series";
import { bit } from "../sessions/ids";
import { guestLimit, sessionFields, sessionInputOf } from "../sessions/input";
import { postOut } from "../sessions/sessions";
import { flagOut, forumPaging, id, instantIn, instantOut } from "../values";

const A_PLACE = "Please give a place from 0 up.";
const seriesParams = { series: id };
const hostParams = { series: id, username: oneLine().max(60) };
const viewOut = (view: SeriesView) => ({
  series: seriesOut(view.series),
  days: view.days.map(({ day, at, state, isMoved, isUndated, session }) => ({
    day,
    started_at: instantOut(isUndated ? null : at),
    state,
    is_moved: flagOut(isMoved),
    session_id: session?.id ?? null,
    participants_count: session?.participantsCount ?? null,
  })),
  unstarted: view.unstarted,
  holders: view.holders.map(({ username, since }) => ({ username, since: instantOut(since) })),
  hosts: view.hosts.map(({ username, isAccepted, handle }) => ({
    username,
    is_accepted: flagOut(isAccepted),
    ...(handle === null ? {} : { handle }),
  })),
});
const asCreated = (view: SeriesView) => ({ ...viewOut(view), path: view.series.path });

const placeOut = (view: SeriesPlace) => ({
  series: {
    id: view.series.id,
    path: view.series.path,
    address: view.series.address,
    title: view.series.title,
    words: view.series.ruleText,
    time_zone: view.series.timeZone,
    is_mine: flagOut(view.series.isMine),
    is_paused: flagOut(view.series.isPaused),
    has_ended: flagOut(view.series.hasEnded),
    needs_code: flagOut(view.series.needsCode),
    is_free: flagOut(view.series.isFree),
    standing_since: instantOut(view.series.standingSince),
    code_until: instantOut(view.series.codeExpiresAt),
  },
  group: view.hut,
  content_html: view.contentHtml,
  hosts: view.hosts,
  dates: view.dates.map(({ at, state, isMoved, session }) => ({
    started_at: instantOut(at),
    state,
    is_moved: flagOut(isMoved),
    session: session && placeSessionOut(session),
  })),
  next: view.next && placeSessionOut(view.next),
  recaps: view.recaps.map(({ session, path, title, startedAt }) => ({
    session_id: session,
    path,
    title,
    started_at: instantOut(startedAt),
  })),
  posts: view.posts.map(({ session, ...post }) => ({
    ...postOut(post),
    session_path: session.path,
    session_started_at: instantOut(session.startedAt),
  })),
  page: view.page,
  has_next: flagOut(view.hasNext),
  after: view.after,
});
const placeSessionOut = (session: PlaceSession) => ({
  id: session.id,
  path: session.path,
  status: session.status,
  host: session.host,
  participants_count: session.participantsCount,
  participant_limit: session.participantLimit,
  spots_left: session.spotsLeft,
  needs_code: flagOut(session.needsCode),
  is_free: flagOut(session.isFree),
  is_joined: flagOut(session.isJoined),
});

const sessionBody = reads(z.object(sessionFields), sessionInputOf, SessionInput);
const sessionChange = reads(z.object(sessionFields), sessionInputOf, SessionFields);
const text = (most: number) => oneLine("Please give a text.").max(most);

export const seriesCalls = {
  createSeries: call("POST /api/series", "Create a series of sessions", {
    scope: "host",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["change-series"],
    input: fields({
      within: "series",
      body: {
        rule: text(500),
        time_zone: text(100),
        started_at: instantIn,
        session: sessionBody as z.ZodType<SessionInput>,
      },
    }).transform(({ rule, time_zone, started_at, session }) => ({
      rule,
      timeZone: time_zone,
      startedAt: started_at,
      session,
    })),
    isRepeatable: true,
    answer: asCreated,
  }),
  listMySeries: pageCall("GET /api/my/series", "List your series", {
    scope: "read",
    input: nothing,
    who: "signed-in",
    answer: (list: { series: ShownSeries[] }) => ({ series: list.series.map(seriesOut) }),
  }),
  viewSeriesPlace: pageCall("GET /api/series/{series}", "Read the page of a series", {
    scope: "read",
    input: fields({ params: { series: oneLine().max(100) }, query: forumPaging }),
    answer: placeOut,
  }),
  viewSeries: pageCall("GET /api/my/series/{series}", "Read one of your series", {
    scope: "read",
    input: fields({ params: seriesParams }),
    who: "signed-in",
    answer: viewOut,
  }),
  changeSeries: call("PATCH /api/series/{series}", "Change a series", {
    scope: "host",
    limits: ["change-series"],
    input: fields({
      params: seriesParams,
      within: "series",
      body: {
        paused: bit,
        rule: text(500).optional(),
        time_zone: text(100).optional(),
        started_at: instantIn.optional(),
        session: (sessionChange as z.ZodType<SessionFields>).optional(),
      },
    }).transform(({ series, paused, rule, time_zone, started_at, session }) => ({
      series,
      isPaused: paused,
      rule,
      timeZone: time_zone,
      startedAt: started_at,
      session,
    })),
    answer: viewOut,
  }),
  endSeries: call("DELETE /api/series/{series}", "End a series", {
    scope: "host",
    limits: ["change-series"],
    input: fields({ params: seriesParams }),
    status: 204,
    answer: () => null,
  }),
  changeSeriesDay: call("PATCH /api/series/{series}/days/{day}", "Move, change or skip a day of a series", {
    scope: "host",
    limits: ["change-series", "change-session"],
    input: fields({
      params: { ...seriesParams, day: oneLine().max(10) },
      body: { skip: bit, started_at: instantIn.optional() },
    }).transform(({ series, day, skip, started_at }) => ({
      series,
      day,
      isSkipped: skip,
      startedAt: started_at,
    })),
    answer: viewOut,
  }),
  setRotaHost: call("PUT /api/series/{series}/hosts/{username}", "Invite a host into the rota of a series", {
    scope: "host",
    limits: ["ask", "change-series"],
    input: fields({
      params: hostParams,
      body: {
        place: numberIn(z.number(A_PLACE))
          .pipe(z.number().int(A_PLACE).min(0, A_PLACE).max(99, A_PLACE))
          .optional(),
      },
    }),
    answer: viewOut,
  }),
  removeRotaHost: call(
    "DELETE /api/series/{series}/hosts/{username}",
    "Take a host out of the rota of a series",
    {
      scope: "host",
      limits: ["change-series"],
      input: fields({ params: hostParams }),
      status: 204,
      answer: () => null,
    },
  ),
  acceptTurn: call("POST /api/series/{series}/accept-turn", "Accept a turn as host of a series", {
    scope: "host",
    limits: ["change-series"],
    input: fields({
      params: seriesParams,
      body: { is_free: bit, guest_limit: guestLimit },
    }).transform(({ series, is_free, guest_limit }) => ({
      series,
      isFree: is_free,
      guestLimit: guest_limit,
    })),
    answer: viewOut,
  }),
  takeStandingSeat: call("PUT /api/series/{series}/standing-seat", "Take a standing seat in a series", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS", "SESSION_FULL", "WRONG_CODE"],
    limits: ["change-series", "join-code", "join-code-everywhere", "join-code-late"],
    isRepeatable: true,
    status: 200,
    input: fields({ params: seriesParams, body: { join_code: oneLine().max(200).nullish() } }).transform(
      ({ series, join_code }) => ({ series, joinCode: join_code ?? undefined }),
    ),
    answer: ({ isStanding }: { isStanding: boolean }) => ({ is_standing: flagOut(isStanding) }),
  }),
  giveUpStandingSeat: call(
    "DELETE /api/series/{series}/standing-seat",
    "Give up a standing seat in a series",
    {
      scope: "write",
      limits: ["change-series"],
      input: fields({ params: seriesParams }),
      status: 204,
      answer: () => null,
    },
  ),
};
