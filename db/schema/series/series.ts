// Tables of series of sessions (G-04): rule and template, days that deviate from the rule, standing seats, and the
// rota.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SeriesStop } from "~/domain/series/stops";
import type { SeriesTemplate } from "~/domain/sessions/input";
import { users } from "../accounts/accounts";
import {
  distancesColumn,
  flagColumn,
  handleColumn,
  idColumn,
  instantColumn,
  jsonColumn,
  personColumn,
  showsUpload,
  stampColumns,
} from "../columns";
import { huts } from "../huts/huts";

/** Triggers (triggers.sql): `sanctions_of_series`, `series_private_moved`, `series_private_new`. */
export const series = sqliteTable(
  "series",
  {
    id: idColumn(),
    /** The host of its sessions. */
    ownerId: integer("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: personColumn(),
    hutId: integer("hut_id").references(() => huts.id, { onDelete: "set null" }),
    /** Copied from the hut by triggers. It remains after a private hut is deleted. */
    isPrivate: flagColumn("is_private"),
    title: text("title").notNull(),
    /**
     * The slug of its address (H-09), also in `series_slugs`; null in a series of the last release, whose address is
     * its id.
     */
    slug: text("slug").unique("series_slug_unique"),
    /** The canonical RRULE (G-05). */
    rule: text("rule").notNull(),
    timeZone: text("time_zone").notNull(),
    /** The wall clock of the first start in that zone: "2026-11-24T09:00". */
    localStart: text("local_start").notNull(),
    /** The fields of its sessions, without a start. */
    template: distancesColumn<SeriesTemplate>("template").notNull(),
    /** Every date before this instant is laid out, skipped or past. */
    laidUntil: instantColumn("laid_until").notNull(),
    pausedAt: instantColumn("paused_at"),
    endedAt: instantColumn("ended_at"),
    /** Why the last layout failed; null after a successful one. */
    stop: jsonColumn<SeriesStop>("stop"),
    /** Unread since 0.3.0: a sentence in place of `stop`. */
    problem: text("problem").notNull().default(""),
    ...stampColumns(),
  },
  (t) => [
    index("series_by_owner").on(t.ownerId),
    index("series_to_lay_out").on(t.laidUntil).where(sql`paused_at IS NULL AND ended_at IS NULL`),
    index("series_with_uploads").on(t.id).where(showsUpload("series")),
    check("row_fits_template", sql`octet_length(${t.template}) <= 1000000`),
  ],
);

/** Every slug that a series has had: an old address leads to the series (H-14); WITHOUT ROWID. */
export const seriesSlugs = sqliteTable(
  "series_slugs",
  {
    slug: text("slug").primaryKey(),
    seriesId: integer("series_id")
      .notNull()
      .references(() => series.id, { onDelete: "cascade" }),
  },
  (t) => [index("series_slugs_by_series").on(t.seriesId)],
);

/** A day of the rule that is skipped, or moved to another instant (G-11); WITHOUT ROWID. */
export const seriesDays = sqliteTable(
  "series_days",
  {
    seriesId: integer("series_id")
      .notNull()
      .references(() => series.id, { onDelete: "cascade" }),
    day: text("day").notNull(),
    /** Null: skipped. */
    movedTo: instantColumn("moved_to"),
  },
  (t) => [primaryKey({ name: "one_change_per_day", columns: [t.seriesId, t.day] })],
);

/** Seats in every session of a series (G-13); WITHOUT ROWID. */
export const standingSeats = sqliteTable(
  "standing_seats",
  {
    seriesId: integer("series_id")
      .notNull()
      .references(() => series.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: personColumn(),
    since: instantColumn("since").notNull(),
    /** Occurrences in a row for which the tokens did not suffice (G-15). */
    skips: integer("skips").notNull().default(0),
    /** Since this instant the series has another code, which this person has not given. */
    codeAskedAt: instantColumn("code_asked_at"),
  },
  (t) => [
    primaryKey({ name: "one_standing_seat", columns: [t.seriesId, t.userId] }),
    index("standing_seats_by_user").on(t.userId),
    index("standing_seats_without_code").on(t.codeAskedAt).where(sql`code_asked_at IS NOT NULL`),
  ],
);

/** The hosts of a series in turn, in order of `place`, and people invited to host in turn (G-17); WITHOUT ROWID. */
export const rotaHosts = sqliteTable(
  "rota_hosts",
  {
    seriesId: integer("series_id")
      .notNull()
      .references(() => series.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: personColumn(),
    place: integer("place").notNull(),
    /** Null: invited. */
    acceptedAt: instantColumn("accepted_at"),
    /** The host's answer to the turn: seats for guests in the sessions of this host; 0: none (H-17). */
    guestLimit: integer("guest_limit").notNull().default(0),
    /** A random name of this place; null in a place that the last release inserted. */
    handle: handleColumn(),
  },
  (t) => [
    primaryKey({ name: "one_place_in_rota", columns: [t.seriesId, t.userId] }),
    index("rota_hosts_by_user").on(t.userId),
  ],
);
