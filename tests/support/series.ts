// Series of sessions in tests that stop the clock at `ROOM_NOW`.
import { asc, eq } from "drizzle-orm";
import { expect } from "vitest";
import { schema } from "#db/connect.server";
import { DAY, HOUR, type Instant, instant } from "~/domain/time";
import { callAs } from "./ask";
import type { TestUser } from "./factories";
import { db } from "./notices";
import { ROOM_NOW } from "./rooms";

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

/** A weekly series from two days ahead; its id. */
export async function makeSeries(host: TestUser, over: object = {}, session: object = {}): Promise<number> {
  const series = {
    rule: "FREQ=WEEKLY",
    time_zone: "UTC",
    started_at: iso(nine(2)),
    session: { title: "Morning pages", duration: 3600, ...session },
    ...over,
  };
  const { status, body } = await callAs(host, "POST", "/api/series", { series });
  expect(status).toBe(201);
  return body.series.id;
}
