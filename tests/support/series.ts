// Series of sessions in tests.
import { asc, eq, isNull } from "drizzle-orm";
import { expect } from "vitest";
import { schema } from "#db/connect.server";
import type { EventKind } from "~/domain/notices/events";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, HOUR, type Instant, instant } from "~/domain/time";
import { layOutSeries } from "~/use-cases/series/lay-out.server";
import { callAs, dataOf } from "./ask";
import { db, makeUser, type TestUser, testApp } from "./factories";
import { drain, noticeRows, spineApp } from "./notices";
import { ROOM_NOW } from "./rooms";
import { visit } from "./visit";

/** 09:00 UTC, so many days after that of `ROOM_NOW`. */
export const nine = (days: number): Instant =>
  instant(Math.floor(ROOM_NOW / DAY) * DAY + days * DAY + 9 * HOUR);
export const iso = (ms: number): string => new Date(ms).toISOString();

/** The sessions of a series in order of their days, closed ones included. */
export const sessionsOf = (id: number) =>
  db
    .select()
    .from(schema.sessions)
    .where(eq(schema.sessions.seriesId, id))
    .orderBy(asc(schema.sessions.seriesDay));
export const seriesNow = async (id: number) =>
  (await db.select().from(schema.series).where(eq(schema.series.id, id)))[0];

export const openOf = async (id: number) =>
  (await sessionsOf(id)).filter(({ closedAt }) => closedAt === null);

/** The answer to a weekly series from two days ahead. */
export function createSeries(host: TestUser, over: object = {}, session: object = {}) {
  const series = {
    rule: "FREQ=WEEKLY",
    time_zone: "UTC",
    started_at: iso(nine(2)),
    session: { title: "Morning pages", duration: 3600, ...session },
    ...over,
  };
  return callAs(host, "POST", "/api/series", { series });
}
/** Its id. */
export async function makeSeries(...asked: Parameters<typeof createSeries>): Promise<number> {
  const { status, body } = await createSeries(...asked);
  expect(status).toBe(201);
  return body.series.id;
}

export const makeRichUser = () => makeUser({ tokens: 90_000 });
export const patchSeries = (host: TestUser, id: number, body: object) =>
  callAs(host, "PATCH", `/api/series/${id}`, body);

/** The path of its page. */
export const seriesPath = async (id: number) => `/series/${(await seriesNow(id))?.slug}`;
export const seriesPage = async (user: TestUser | null, id: number) =>
  dataOf(user, `/api${await seriesPath(id)}`);
/** The session that the page's address with `/next` opens. */
export const openNext = (user: TestUser | null, path: string) => visit(user, `${path}/next`);

export const stand = (user: TestUser, id: number, body: object = {}) =>
  callAs(user, "PUT", `/api/series/${id}/standing-seat`, body);

/** The layout of a night so many days ahead. */
export const layOutDays = async (days = 0, limit = 500, seriesLimit = 1000) =>
  layOutSeries(await testApp({ now: instant(Date.now() + days * DAY) }), limit, seriesLimit);
/** Ends the series of earlier tests, because a night is everybody's. */
export const restSeries = () =>
  db
    .update(schema.series)
    .set({ endedAt: instant(Date.now()) })
    .where(isNull(schema.series.endedAt));

/** The sentences of this user's notices, in order of their causes; those of one kind when asked. */
export async function sentencesOf(user: TestUser, asked?: EventKind): Promise<string[]> {
  await drain((await spineApp(instant(Date.now()))).app);
  const rows = (await noticeRows()).filter(
    ({ userId, kind }) => userId === user.id && (asked === undefined || kind === asked),
  );
  return rows
    .sort((a, b) => a.at - b.at)
    .map((row) => writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text);
}
