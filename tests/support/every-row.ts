// A row in every table with a user, made from the schema: its texts say the table and column, and its instants are in
// no other row.
import { env } from "cloudflare:workers";
import { eq, getTableName, is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { schema } from "#db/connect.server";
import { db, NOW, type TestUser } from "./factories";
import { makeGoal } from "./goals";
import { makeSession } from "./rooms";
import { makeActivity, makeHut } from "./sessions";

export type Row = Record<string, unknown>;
let count = 0;
/** Times that tables were filled: each later time gives slugs and texts of its own. */
let fills = 0;
const nth = (name: string) => (fills > 1 ? `${name} ${fills}` : name);
const slugOf = (name: string) => nth(name).replace(" ", "-");
/** An instant that no other row has. */
const anInstant = (): number => 1_700_000_000_000 + ++count;
const NO_PARTS = JSON.stringify({ groups: [] });
/** Values that a CHECK or a foreign key asks for. */
type Parents = {
  session: number;
  hut: number;
  snippet: number;
  series: number;
  login: string;
  goal: number;
};
const VALUES: Record<string, (parents: Parents, row: Row) => Row> = {
  activities: () => ({ slug: slugOf("rows-activity"), schedule: NO_PARTS }),
  attendance: ({ session }) => ({ session_id: session }),
  deliveries: (_, { user_id, key }) => ({
    key: `${user_id}:${key}`,
    kind: "session-cancelled",
    state: "sent",
  }),
  goal_days: () => ({ is_shared: 1, amount: ++count }),
  goal_tags: ({ goal }) => ({ goal_id: goal }),
  // Jobs delete those that have ended.
  guest_bans: () => ({ until: Date.UTC(9000, 0) }),
  huts: (_, { invited_by }) => ({ slug: slugOf(invited_by ? "rows-hut-invited" : "rows-hut") }),
  logs: () => ({ status: 2 }),
  notices: () => ({ kind: "session-cancelled", others: "[]" }),
  paraphrases: ({ snippet }) => ({ snippet_id: snippet }),
  posts: ({ hut }) => ({ hut_id: hut }),
  push_subscriptions: ({ login }) => ({ login_hash: login }),
  rota_hosts: ({ series }) => ({ series_id: series, accepted_at: anInstant() }),
  sanctions: ({ session }) => ({ scope: "session", kind: "mute", target_id: session }),
  sessions: () => ({ slug: slugOf("rows-session"), duration: 3600, closed_at: NOW, schedule: NO_PARTS }),
  standing_seats: ({ series }) => ({ series_id: series }),
  token_lots: () => ({ granted: 2, remaining: 1 }),
  two_step: () => ({ confirmed_at: anInstant() }),
};
/** Further rows, whose place decides their fate. */
const MORE: readonly [name: string, table: string, values: (parents: Parents) => Row][] = [
  ["logs in a session", "logs", ({ session }) => ({ session_id: session })],
  ["goals of a session", "goals", ({ session }) => ({ session_id: session })],
  ["subscriptions that have ended", "subscriptions", () => ({ stripe_sub_status: "canceled" })],
  ["items that are books", "items", () => ({ is_book: 1 })],
];

const NAMED = /(^|_)(user|owner|actor|author|blocked|person|reporter)_id$|^paid_by$/;
/** The user of a row, whose `person_id` is a person of theirs. */
const OWN_USER = /^(user|owner)_id$/;
export const tables = Object.values(schema).filter((one) => is(one, SQLiteTable)) as unknown as SQLiteTable[];
const targetOf = (table: SQLiteTable, column: SQLiteColumn): string | undefined =>
  getTableConfig(table)
    .foreignKeys.map((key) => key.reference())
    .filter(({ columns }) => columns.length === 1 && columns[0]?.name === column.name)
    .map(({ foreignTable }) => getTableName(foreignTable))[0];
const isUser = (table: SQLiteTable, column: SQLiteColumn): boolean =>
  NAMED.test(column.name) || ["users", "persons"].includes(targetOf(table, column) ?? "");
/** Each column that holds a user or person, apart from those of the account itself. */
const places = tables
  .filter((table) => !["users", "persons"].includes(getTableName(table)))
  .flatMap((table) =>
    getTableConfig(table)
      .columns.filter((column) => isUser(table, column))
      .map((own) => ({ table, own, name: `${getTableName(table)}.${own.name}` })),
  );

const isBesideUser = ({ table, own }: (typeof places)[number]): boolean =>
  own.name === "person_id" && getTableConfig(table).columns.some(({ name }) => OWN_USER.test(name));

const isJson = (column: SQLiteColumn) =>
  column.dataType === "json" || (column.dataType === "custom" && column.getSQLType() === "text");

/** A row whose texts say its name and column. */
function rowOf(
  { table, own, name }: (typeof places)[number],
  people: { user: TestUser; other: TestUser },
  ids: Record<string, number>,
): Row {
  const row: Row = {};
  for (const column of getTableConfig(table).columns) {
    const to = targetOf(table, column);
    const idOf = (person: TestUser) => (/person_id$/.test(column.name) ? person.personId : person.id);
    if (column === own || (column.name === "person_id" && OWN_USER.test(own.name)))
      row[column.name] = idOf(people.user);
    else if (isUser(table, column)) row[column.name] = column.notNull ? idOf(people.other) : null;
    else if (to !== undefined) row[column.name] = column.notNull ? (ids[to] ?? null) : null;
    else if (column.generated || (column.primary && column.dataType === "number")) continue;
    else if (isJson(column)) {
      if (column.notNull && !column.hasDefault) row[column.name] = JSON.stringify({ title: `«${name}»` });
    } else if (column.dataType === "string")
      row[column.name] =
        column.enumValues?.[0] ??
        (/^(username|author_name)$/.test(column.name) ? people.user.username : `«${name} ${column.name}»`);
    else if (column.dataType === "boolean") row[column.name] = 0;
    else if (column.notNull && !column.hasDefault) row[column.name] = anInstant();
  }
  return row;
}

const insert = (table: string, row: Row) =>
  env.DB.prepare(
    `INSERT INTO ${table} (${Object.keys(row).map((name) => `"${name}"`)}) VALUES (${Object.keys(row).map(() => "?")}) RETURNING *`,
  )
    .bind(...Object.values(row))
    .first<Row>();

export type EveryRow = {
  /** By table and the column of the user, or by the place that decides a row's fate. */
  rows: ReadonlyMap<string, { table: string; own: string; row: Row; id: number }>;
  /** The session and the hut that the rows of others are in. */
  parents: Parents;
};

/** Fills every table that has a column for the user; `other` is the other person of a row with two. */
export async function fillTables(user: TestUser, other: TestUser): Promise<EveryRow> {
  fills++;
  const rows = new Map<string, { table: string; own: string; row: Row; id: number }>();
  const session = await makeSession([other], { now: NOW });
  await db.update(schema.sessions).set({ closedAt: NOW }).where(eq(schema.sessions.id, session.id));
  const hut = await makeHut(other);
  await db.update(schema.huts).set({ userCount: 1 }).where(eq(schema.huts.id, hut.id));
  const ids: Record<string, number> = {
    sessions: session.id,
    huts: hut.id,
    goals: (await makeGoal(other)).id,
    activities: (await makeActivity(other, { followersCount: 1 })).id,
  };
  const people = { user, other };
  const parentRow = (table: SQLiteTable, column: string) => {
    const place = places.find(({ name }) => name === `${getTableName(table)}.${column}`);
    if (!place) throw new Error(column);
    return insert(
      getTableName(table),
      rowOf({ ...place, name: nth(`parent ${place.name}`) }, { user: other, other }, ids),
    );
  };
  const series = Number((await parentRow(schema.series, "owner_id"))?.id);
  const book = Number((await parentRow(schema.items, "person_id"))?.id);
  const [snippet] = await db
    .insert(schema.snippets)
    .values({ itemId: book, number: 1, content: "" })
    .returning();
  const [login] = await db.select().from(schema.logins).where(eq(schema.logins.userId, user.id));
  const parents: Parents = {
    session: session.id,
    hut: hut.id,
    series,
    snippet: snippet?.id ?? 0,
    login: login?.tokenHash ?? "",
    goal: (await makeGoal(user)).id,
  };
  const add = async (name: string, place: (typeof places)[number], values: Row) => {
    const table = getTableName(place.table);
    const plain = rowOf({ ...place, name: nth(name) }, people, ids);
    const row = { ...plain, ...VALUES[table]?.(parents, plain), ...values };
    const made = await insert(table, row);
    const id = Number(made?.id);
    rows.set(name, { table, own: place.own.name, row, id });
    return id;
  };
  for (const place of places) {
    // These columns name the user of another column, or are part of a row that already exists.
    if (place.name === "participants.paid_by" || isBesideUser(place)) continue;
    const id = await add(place.name, place, {});
    // A host has a seat, and the owner of a hut belongs to it.
    const { id: user_id, personId: person_id, username } = user;
    const seat = { user_id, person_id, username, role: 1, is_host: 1, seat: "host", paid_by: user_id };
    if (place.name === "sessions.owner_id")
      await insert("participants", { session_id: id, ...seat, joined_at: NOW });
    if (place.name === "huts.owner_id") {
      await insert("hut_members", { hut_id: id, user_id, joined_at: NOW });
      await db.update(schema.huts).set({ userCount: 1 }).where(eq(schema.huts.id, id));
    }
  }
  for (const [name, table, values] of MORE) {
    const place = places.find((one) => getTableName(one.table) === table);
    if (place) await add(name, place, values(parents));
  }
  return { rows, parents };
}

/** Texts and instants that are in no other row. */
export const marksOf = (row: Row): string[] =>
  Object.values(row).flatMap((value) => {
    if (typeof value === "string" && value.includes("«"))
      return [value.startsWith("{") ? String(JSON.parse(value).title) : value];
    const isOwn =
      typeof value === "number" && value > 1_700_000_000_000 && value <= 1_700_000_000_000 + count;
    return isOwn ? [new Date(value).toISOString(), String(value)] : [];
  });
export const isMarked = (value: unknown): boolean => typeof value === "string" && value.includes("«");
