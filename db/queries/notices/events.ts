// Statements on events, the causes of notices: the row of a cause, and its fan-out into notices and deliveries (N-01 to
// N-03). Use cases run them.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { isNoticeVisible } from "#db/queries/visibility";
import { DEBOUNCE, isUrgent } from "~/domain/notices/calendar-invites";
import type { NewEvent } from "~/domain/notices/cause";
import { FAN_OUT_STRETCH, MAX_DIGEST_LINES, MERGE_MINUTES } from "~/domain/notices/deliveries";
import { eventRule } from "~/domain/notices/event-rules";
import {
  type EventBodies,
  type EventKind,
  hutOfSubject,
  type Other,
  sessionOfSubject,
} from "~/domain/notices/events";
import type { Channel } from "~/domain/notices/notices";
import { type Instant, instant, MINUTE } from "~/domain/time";

const { deliveries, events, notices, users } = schema;

/** Ids of events begin with the letter and the instant, so that they sort by time. */
export const eventIdAt = (at: Instant): string => `e${Math.max(0, at).toString(36).padStart(9, "0")}`;
/** `isFirst` sorts the event before the others of its instant. */
export const newEventId = (at: Instant, { isFirst = false } = {}): string =>
  `${eventIdAt(at)}${isFirst ? "+" : "-"}${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;

/** The id of the event of a start. A repeated write has the same id, so nobody gets a second notice. */
export const startCauseIdOf = (sessionId: number, at: Instant): string =>
  `${eventIdAt(at)}-start-${sessionId}`;

/** The id of the event of a chat line's mentions. */
export const lineCauseIdOf = (sessionId: number, seq: number, at: Instant): string =>
  `${eventIdAt(at)}-line-${sessionId}-${seq}`;

/** Lists of user ids that the batch reads itself, as SELECTs of a column `id`. */
type SqlIdLists = { to?: SQL; payers?: SQL; holders?: SQL; succeeded?: SQL };
/** Words of the body that the batch reads itself, as expressions. */
type SqlFields = Record<string, SQL>;

/**
 * Records an event in the batch of its cause (N-01), if it has recipients and `condition` holds. It runs before the
 * statements that delete the recipients, so that `idLists` can store their ids (N-03).
 */
export function recordEvent<K extends EventKind>(
  db: Database,
  event: NewEvent<K>,
  {
    condition = sql`true`,
    idLists = {},
    textFields = {},
  }: { condition?: SQL; idLists?: SqlIdLists; textFields?: SqlFields } = {},
) {
  const bodyWithLists = Object.entries(idLists).reduce(
    (json, [name, ids]) =>
      sql`json_set(${json}, ${`$.${name}`}, json((SELECT json_group_array(DISTINCT id) FROM (${ids}))))`,
    sql`json(${JSON.stringify(event.body)})`,
  );
  const body = Object.entries(textFields).reduce(
    (json, [name, value]) => sql`json_set(${json}, ${`$.${name}`}, ${value})`,
    bodyWithLists,
  );
  return insertFrom(
    db,
    events,
    {
      id: event.id,
      kind: event.kind,
      subject: event.subject,
      actorId: event.actorId,
      body: sql`body`,
      at: event.at,
    },
    sql`FROM (SELECT ${body} AS body) WHERE (${condition}) AND ${hasAudience(event)}`,
  );
}

/**
 * Records the sessions that a series adds to a hut at this instant as one event, which the second session marks as the
 * event of several.
 */
export const recordSeriesSessions = (
  db: Database,
  seriesId: number,
  event: NewEvent<"hut-session">,
  textFields: SqlFields,
): Statement =>
  recordEvent(
    db,
    { ...event, id: `${eventIdAt(event.at)}-series-${seriesId}` },
    { textFields },
  ).onConflictDoUpdate({
    target: events.id,
    set: { body: sql`json_set(body, '$.isSeries', json('true'))` },
    setWhere: sql`json_extract(body, '$.isSeries') IS NULL`,
  });

const hasAudience = ({ kind, subject, actorId }: Pick<EventRow, "kind" | "subject" | "actorId">): SQL =>
  eventRule(kind).audience === "listed"
    ? sql`json_array_length(body, '$.to') > 0`
    : sql`EXISTS (SELECT 1 FROM (${selectAudience(kind, subject)}) WHERE user_id <> ${actorId ?? 0})`;

/**
 * Selects the members of the subject's hut, or the people with a seat in its session and, for some kinds, on its
 * waiting list.
 */
const selectAudience = (kind: EventKind, subject: string): SQL =>
  eventRule(kind).audience === "hut"
    ? selectMembersAndOwner(hutOfSubject(subject) ?? 0)
    : selectPeopleOfSession(kind, subject);
const selectMembersAndOwner = (hutId: number): SQL =>
  sql`SELECT user_id, joined_at FROM hut_members WHERE hut_id = ${hutId} UNION SELECT owner_id, NULL FROM huts h WHERE h.id = ${hutId}
    AND NOT EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = h.id AND m.user_id = h.owner_id)`;
const selectPeopleOfSession = (kind: EventKind, subject: string): SQL =>
  sql`SELECT user_id, joined_at FROM participants WHERE session_id = ${sessionOfSubject(subject)} ${
    eventRule(kind).includesWaiters
      ? sql`UNION ALL SELECT user_id, since FROM waiters WHERE session_id = ${sessionOfSubject(subject)}`
      : sql``
  }`;

export const findEvent = (db: Database, id: string) =>
  db.select().from(events).where(eq(events.id, id)).limit(1);
export type EventRow = typeof events.$inferSelect;

/** Events that wait for their fan-out, oldest first, except those whose fan-out has failed too often. */
export const listEvents = (db: Database, failed: { job: string; tries: number }, limit: number) =>
  db
    .select({ id: events.id })
    .from(events)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM failed_rows f WHERE f.job = ${failed.job} AND f.row = ${events.id} AND f.tries >= ${failed.tries})`,
    )
    .orderBy(events.id)
    .limit(limit);

/** Settings of a user that differ from the defaults, as `Differences` in JSON. */
export const differencesOf = (userId: SQL): SQL =>
  sql`(SELECT json_group_object(ns.kind || ':' || ns.channel, ns.value) FROM notice_settings ns WHERE ns.user_id = ${userId})`;

/** A condition: no block exists between these users, in either direction. */
export const isUnblocked = (a: SQL, b: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM blocks WHERE user_id = ${a} AND blocked_id = ${b}) AND NOT EXISTS (SELECT 1 FROM blocks WHERE user_id = ${b} AND blocked_id = ${a})`;

/**
 * A column that says whether a block exists between the two: the viewer then reads an alias instead of the name
 * (Q-12).
 */
export const isHiddenFrom = (viewer: SQL, user: SQL) =>
  sql<boolean>`NOT (${isUnblocked(viewer, user)})`.mapWith(Boolean).as("is_hidden");

/** Whether the user's calendar delivery of this session waits, so that emails about the session join it (F-24). */
const isInDebounce = (userId: SQL, subject: string, now: Instant): SQL<number> =>
  sql<number>`EXISTS (SELECT 1 FROM deliveries c WHERE c.key = ${userId} || ${`:calendar:${subject}::mail`} AND c.state = 'waiting' AND coalesce(c.lease_until, 0) <= ${now})`;

const isAccount = sql`u.guest_of IS NULL AND u.email NOT LIKE '%@deleted.invalid'`;

/** The next recipients of an event in order of their ids: everything that decides their channels and instants. */
export function listRecipients(db: Database, event: EventRow, now: Instant, limit = FAN_OUT_STRETCH) {
  const rule = eventRule(event.kind);
  const { startedAt, lead, post, seat } = event.body as {
    startedAt?: Instant;
    lead?: number;
    post?: number;
    seat?: number;
  };
  const audience =
    rule.audience === "listed"
      ? sql`SELECT value AS user_id, NULL AS joined_at FROM json_each((SELECT body FROM events WHERE id = ${event.id}), '$.to')`
      : selectAudience(event.kind, event.subject);
  // A seat taken after a reminder's instant gets no reminder of that lead (N-19).
  const isInTime =
    lead === undefined || startedAt === undefined
      ? sql`true`
      : sql`a.joined_at <= ${startedAt - lead * MINUTE}`;
  return db
    .select({
      userId: sql<number>`u.id`.as("recipient_id"),
      timeZone: sql<string>`u.time_zone`.as("time_zone"),
      quietFrom: sql<number | null>`u.quiet_from`.as("quiet_from"),
      quietTo: sql<number | null>`u.quiet_to`.as("quiet_to"),
      digest: sql<"off" | "daily" | "weekly">`u.digest`.as("digest"),
      mayMail:
        sql<number>`${rule.isSecurity ? sql`true` : sql`u.email_confirmed_at IS NOT NULL`} AND u.mail_failing_at IS NULL`.as(
          "may_mail",
        ),
      hasBrowser: sql<number>`EXISTS (SELECT 1 FROM push_subscriptions ps WHERE ps.user_id = u.id)`.as(
        "has_browser",
      ),
      isPayer:
        sql<number>`EXISTS (SELECT 1 FROM json_each((SELECT body FROM events WHERE id = ${event.id}), '$.payers') WHERE value = u.id)`.as(
          "is_payer",
        ),
      // Only a rule that joins calendar mail needs it.
      isInDebounce: (rule.joinsCalendar ? isInDebounce(sql`u.id`, event.subject, now) : sql<number>`0`).as(
        "is_in_debounce",
      ),
      isHolder:
        sql<number>`EXISTS (SELECT 1 FROM json_each((SELECT body FROM events WHERE id = ${event.id}), '$.holders') WHERE value = u.id)`.as(
          "is_holder",
        ),
      differences: sql<string>`${differencesOf(sql`u.id`)}`.as("differences"),
    })
    .from(sql`(${audience}) a JOIN users u ON u.id = a.user_id`)
    .where(
      and(
        sql`a.user_id > ${event.mark} AND a.user_id <> ${event.actorId ?? 0} AND ${isAccount} AND ${isInTime}`,
        rule.isPersonal && event.actorId !== null ? isUnblocked(sql`u.id`, sql`${event.actorId}`) : undefined,
        rule.audience !== "listed" || rule.outlivesAccess
          ? undefined
          : isNoticeVisible(
              { subject: sql`${event.subject}`, body: sql`${JSON.stringify({ post, seat })}` },
              sql`u.id`,
            ),
      ),
    )
    .orderBy(sql`u.id`)
    .limit(limit);
}

/** A recipient of a notice; its body is the event's body with the fields of `more`. */
export type NewNotice = { userId: number; more: object };
export type NewDelivery = {
  key: string;
  userId: number;
  channel: Exclude<Channel, "app">;
  more: object;
  dueAt: Instant;
  /**
   * `digest` and `calendar` are deliveries of several events: the event becomes a line of the digest, or a text of the
   * session's calendar mail.
   */
  way: "single" | "digest" | "calendar";
};

/** All statements of a stretch share the notice's body, and the condition that the event still has its mark. */
type StretchWrite = { now: Instant; body: string; isMarkCurrent: SQL };

const eachRow = (rows: readonly object[]) => sql`json_each(${JSON.stringify(rows)})`;

/**
 * Writes a stretch of the fan-out and its mark: statements for one batch (N-03). All of them apply only while the event
 * has the mark with which it was read, so a repeat writes nothing (N-02). `last` is the highest recipient's id of the
 * stretch; null ends the fan-out and deletes the event.
 */
export function fanOutStretch(
  db: Database,
  event: EventRow,
  stretch: {
    notices: readonly NewNotice[];
    deliveries: readonly NewDelivery[];
    last: number | null;
    now: Instant;
  },
): Statement[] {
  const { now, last } = stretch;
  const isMarkCurrent = sql`EXISTS (SELECT 1 FROM events WHERE id = ${event.id} AND mark = ${event.mark})`;
  const body = JSON.stringify({
    ...event.body,
    // A block deletes the notices of its people about each other.
    ...(eventRule(event.kind).isPersonal && event.actorId !== null ? { by: event.actorId } : {}),
    to: undefined,
    present: undefined,
    nextFor: undefined,
    payers: undefined,
    succeeded: undefined,
    holders: undefined,
  });
  const stretchWrite: StretchWrite = { now, body, isMarkCurrent };
  const deliveriesBy = (way: NewDelivery["way"]) =>
    stretch.deliveries.filter((delivery) => delivery.way === way);
  const hasMark = and(eq(events.id, event.id), eq(events.mark, event.mark));
  return [
    ...mergeNotices(db, event, stretch.notices, stretchWrite),
    ...insertNotices(db, event, stretch.notices, stretchWrite),
    ...insertDeliveries(db, event, deliveriesBy("single"), stretchWrite),
    ...addToDigests(db, event, deliveriesBy("digest"), stretchWrite),
    ...renewInvitations(db, event, deliveriesBy("calendar"), stretchWrite),
    last === null ? db.delete(events).where(hasMark) : db.update(events).set({ mark: last }).where(hasMark),
  ];
}

/**
 * The notice `n` of this user is unread, recent, and of the event's kind and subject, so the event may merge into it.
 */
const isMergeable = (event: EventRow, user: SQL): SQL =>
  sql`n.user_id = ${user} AND n.id >= ${eventIdAt(instant(event.at - MERGE_MINUTES * MINUTE))} AND n.id < ${event.id} AND n.kind = ${event.kind} AND n.subject = ${event.subject} AND n.read_at IS NULL`;

/** Merges the event into the recipients' unread notices where it may. */
function mergeNotices(
  db: Database,
  event: EventRow,
  rows: readonly NewNotice[],
  { body, isMarkCurrent }: StretchWrite,
): Statement[] {
  const { merges } = eventRule(event.kind);
  if (merges === undefined || rows.length === 0) return [];
  const recipients = eachRow(rows);
  const { name = "", path = "", post } = event.body as { name?: string; path?: string; post?: number };
  const other: Other = { name, by: event.actorId, path, ...(post === undefined ? {} : { post }) };
  const withOther = sql`json_insert(others, '$[#]', json(${JSON.stringify(other)}))`;
  const isFirst = sql`${name} = coalesce(body ->> '$.name', '')`;
  const isSamePerson = sql`value ->> '$.name' = ${name}`;
  const newPath = sql`json(${JSON.stringify({ path })})`;
  return [
    db
      .update(notices)
      .set({
        merged: sql`merged + 1`,
        ...(merges === "newest"
          ? {
              body: sql`(SELECT json_patch(${body}, t.value -> '$.more') FROM ${recipients} t WHERE t.value ->> '$.userId' = notices.user_id)`,
              at: event.at,
            }
          : {}),
        // Each post stays in the notice, because any of them may be removed (N-11).
        ...(merges === "count" && post !== undefined ? { others: withOther } : {}),
        ...(merges === "count" && post === undefined
          ? {
              // The notice leads to the newest event of each person.
              body: sql`iif(${isFirst}, json_patch(body, ${newPath}), body)`,
              others: sql`CASE WHEN ${isFirst} THEN others
                      WHEN EXISTS (SELECT 1 FROM json_each(others) WHERE ${isSamePerson})
                      THEN (SELECT json_group_array(json(iif(${isSamePerson}, json_patch(value, ${newPath}), value))) FROM json_each(others))
                      ELSE ${withOther} END`,
            }
          : {}),
      })
      .where(
        sql`(user_id, id) IN (SELECT n.user_id, n.id FROM ${recipients} t JOIN notices n ON ${isMergeable(event, sql`t.value ->> '$.userId'`)}) AND ${isMarkCurrent}`,
      ),
  ];
}

/** Inserts the notices that were not merged. The counters rise first, because after the insert no notice is new. */
function insertNotices(
  db: Database,
  event: EventRow,
  rows: readonly NewNotice[],
  { body, isMarkCurrent }: StretchWrite,
): Statement[] {
  if (rows.length === 0) return [];
  const recipients = eachRow(rows);
  const hasMerged =
    eventRule(event.kind).merges === undefined
      ? sql``
      : sql`OR (${isMergeable(event, sql`t.value ->> '$.userId'`)})`;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM notices n WHERE n.user_id = t.value ->> '$.userId' AND (n.id = ${event.id} ${hasMerged}))`;
  return [
    db
      .update(users)
      .set({ unreadNotices: sql`unread_notices + 1` })
      .where(
        sql`id IN (SELECT t.value ->> '$.userId' FROM ${recipients} t WHERE ${isNew}) AND ${isMarkCurrent}`,
      ),
    insertFrom(
      db,
      notices,
      {
        userId: sql`t.value ->> '$.userId'`,
        id: event.id,
        kind: event.kind,
        subject: event.subject,
        body: sql`json_patch(${body}, t.value -> '$.more')`,
        others: [],
        at: event.at,
      },
      sql`FROM ${recipients} t WHERE ${isNew} AND ${isMarkCurrent}`,
    ),
  ];
}

function insertDeliveries(
  db: Database,
  event: EventRow,
  rows: readonly NewDelivery[],
  { now, body, isMarkCurrent }: StretchWrite,
): Statement[] {
  if (rows.length === 0) return [];
  return [
    insertFrom(
      db,
      deliveries,
      {
        key: sql`t.value ->> '$.key'`,
        userId: sql`t.value ->> '$.userId'`,
        kind: event.kind,
        subject: event.subject,
        channel: sql`t.value ->> '$.channel'`,
        actorId: event.actorId,
        body: sql`json_patch(${body}, t.value -> '$.more')`,
        dueAt: sql`t.value ->> '$.dueAt'`,
        state: "waiting",
        at: now,
      },
      sql`FROM ${eachRow(rows)} t WHERE ${isMarkCurrent}`,
    ).onConflictDoNothing(),
  ];
}

/** Adds the event as a line to each recipient's waiting digest; a full digest only counts it. */
function addToDigests(
  db: Database,
  event: EventRow,
  rows: readonly NewDelivery[],
  { now, body, isMarkCurrent }: StretchWrite,
): Statement[] {
  if (rows.length === 0) return [];
  const line = sql`json_object('kind', ${event.kind}, 'subject', ${event.subject}, 'actorId', ${event.actorId}, 'body', json_patch(${body}, t.value -> '$.more'))`;
  return [
    insertFrom(
      db,
      deliveries,
      {
        key: sql`t.value ->> '$.key'`,
        userId: sql`t.value ->> '$.userId'`,
        kind: "digest",
        subject: "",
        channel: "mail",
        body: sql`json_object('lines', json_array(${line}))`,
        dueAt: sql`t.value ->> '$.dueAt'`,
        state: "waiting",
        at: now,
      },
      sql`FROM ${eachRow(rows)} t WHERE ${isMarkCurrent}`,
    ).onConflictDoUpdate({
      target: deliveries.key,
      set: {
        body: sql`iif(json_array_length(body, '$.lines') < ${MAX_DIGEST_LINES}, json_insert(body, '$.lines[#]', excluded.body -> '$.lines[0]'),
          json_set(body, '$.rest', coalesce(body ->> '$.rest', 0) + 1))`,
      },
      setWhere: sql`state = 'waiting'`,
    }),
  ];
}

/**
 * Inserts the calendar deliveries of a stretch, or makes them due again (F-22). A waiting delivery keeps its texts, and
 * its instant unless the new instant is earlier. During a send the lease grows by a millisecond, so that the sender's
 * result does not mark the renewed row.
 */
function renewInvitations(
  db: Database,
  event: EventRow,
  rows: readonly NewDelivery[],
  { now, body, isMarkCurrent }: StretchWrite,
): Statement[] {
  if (rows.length === 0) return [];
  const texts =
    event.kind === "calendar"
      ? sql`json_object()`
      : sql`json_object(${event.kind}, json_patch(${body}, t.value -> '$.more'))`;
  const isWaiting = sql`deliveries.state = 'waiting'`;
  const { isNew, knownBy = null } = event.body as Partial<EventBodies["calendar"]>;
  const waitingFields = sql`json_object('isNew', ${isNew ? 1 : null}, 'knownBy', ${knownBy})`;
  const storedField = (field: string) => sql`iif(${isWaiting}, deliveries.body ->> ${`$.${field}`}, NULL)`;
  const newField = (field: string) => sql`excluded.body ->> ${`$.${field}`}`;
  const earliestKnownBy = sql`coalesce(min(${storedField("knownBy")}, ${newField("knownBy")}), ${storedField("knownBy")}, ${newField("knownBy")})`;
  // The debounce after the last email must not outlast the news (R-73).
  const nextDueAt = isUrgent({ knownBy }, event.at)
    ? sql`excluded.due_at`
    : sql`max(excluded.due_at, deliveries.at + ${DEBOUNCE})`;
  return [
    insertFrom(
      db,
      deliveries,
      {
        key: sql`t.value ->> '$.key'`,
        userId: sql`t.value ->> '$.userId'`,
        kind: "calendar",
        subject: event.subject,
        channel: "mail",
        body: sql`json_patch(json_object('texts', ${texts}), ${waitingFields})`,
        dueAt: sql`t.value ->> '$.dueAt'`,
        state: "waiting",
        at: event.at,
      },
      sql`FROM ${eachRow(rows)} t WHERE ${isMarkCurrent}`,
    ).onConflictDoUpdate({
      target: deliveries.key,
      set: {
        body: sql`json_patch(
            json_set(deliveries.body, '$.texts', json_patch(iif(${isWaiting}, coalesce(deliveries.body -> '$.texts', '{}'), '{}'), excluded.body -> '$.texts')),
            json_object('isNew', coalesce(${storedField("isNew")}, ${newField("isNew")}), 'knownBy', ${earliestKnownBy}))`,
        dueAt: sql`iif(${isWaiting}, min(deliveries.due_at, excluded.due_at), ${nextDueAt})`,
        leaseUntil: sql`iif(${isWaiting} AND deliveries.lease_until > ${now}, deliveries.lease_until + 1, NULL)`,
        state: "waiting",
        tries: 0,
        reason: "",
        at: event.at,
      },
    }),
  ];
}
