// A row in every table with a user, made from the schema: the export has it and the deletion leaves nothing of it, but
// for written exceptions (Q-40 to Q-42).
import { env } from "cloudflare:workers";
import { eq, getTableName, is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { appOf, makeUser, NOW, type TestUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeSession } from "#tests/support/rooms";
import { makeActivity, makeHut } from "#tests/support/sessions";
import { instant } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/accounts/deletion.server";
import { exportFile } from "~/use-cases/accounts/export.server";
import { eraseChats } from "~/use-cases/room/chat-erasures.server";

const db = connect(env.DB);

const PAYMENTS = "A record of payment, which has to be kept; its user has no name any more.";
const RUNNING = "Kept for hours and deleted by itself; it holds nothing that the user wrote.";
const HASHES = "Hashes and keys; the export lists logins and passkeys by name and date.";
const ACTS = "Acts of moderation (Q-29); the sanctions of a user and the decisions about them are exported.";
const PROVIDER = "The payment provider's own ids and record; purchases are exported.";
const SHARED = "Other people use it; it has no name any more.";
const COUNTED = "Numbers of what is exported.";
/** Rows that the export leaves out, with reasons. */
const NOT_EXPORTED: Record<string, string> = {
  "audit.actor_id": ACTS,
  "audit.user_id": ACTS,
  "blocks.blocked_id": "A block shows no sign (Q-11).",
  "calendar_feeds.user_id": HASHES,
  "chat_erasures.user_id": "Exists only after the account is gone.",
  "confirmations.user_id": HASHES,
  "customers.user_id": PROVIDER,
  "deliveries.actor_id": "A message to somebody else.",
  "devices.user_id": HASHES,
  "events.actor_id": "A cause without its reader, until the notices are written; those are exported.",
  "goals of a session": "The plan of a session, which its people share.",
  "login_challenges.user_id": RUNNING,
  "open_payments.user_id": RUNNING,
  "password_resets.user_id": HASHES,
  "payment_methods.user_id": PROVIDER,
  "pool_entries.user_id": "The shared pool's ledger; the user's own lots and purchases are exported.",
  "push_subscriptions.user_id": HASHES,
  "recovery_codes.user_id": HASHES,
  "repeated_requests.user_id": RUNNING,
  "reports.author_id": "The author never learns of it (Q-09).",
  "session_totals.user_id": COUNTED,
  "subscriptions.user_id": PROVIDER,
  "tag_counts.user_id": COUNTED,
};

const TEXT = "title,content,content_html,summary";
/** Rows that the deletion leaves: the columns that still hold what was in them, and the reason. */
const KEPT: Record<string, readonly [columns: string, reason: string]> = {
  "activities.owner_id": [`slug,title,title_pairs,content,content_html,summary,owner_id,schedule`, SHARED],
  "audit.actor_id": ["actor_id,action,target_kind,target_id,reason,previous", "Kept for 730 days (Q-29)."],
  "audit.user_id": ["action,target_kind,target_id,user_id,reason,previous", "Kept for 730 days (Q-29)."],
  "contributions.user_id": ["user_id,content,content_html", SHARED],
  "deliveries.actor_id": [
    "key,subject,channel,actor_id,body,reason",
    "A message to somebody else, without the name.",
  ],
  "events.actor_id": [
    "id,kind,subject,actor_id,body",
    "Kept until the notices of the cause are written, within minutes.",
  ],
  "goals of a session": [
    "uuid,user_id,part_group_id,title,link,content,content_html,summary,action,unit,copied_from_uuid,search_text",
    SHARED,
  ],
  "huts.owner_id": [`slug,title,title_pairs,content,content_html,summary,owner_id,invite_hash`, SHARED],
  "items that are books": [`person_id,title,slug,content,content_html,summary,type,url`, SHARED],
  "logs in a session": [
    "uuid,user_id,session_goal_uuid,action,ql_button_uuid,timer_uuid,day",
    "It counts in everybody's totals, without a word.",
  ],
  "open_payments.user_id": ["payment_intent,user_id", RUNNING],
  "participants.user_id": ["user_id,seat", SHARED],
  "pool_entries.user_id": ["user_id,reference", PAYMENTS],
  "posts.user_id": [`user_id,${TEXT}`, SHARED],
  "purchases.user_id": ["user_id,payment_intent", PAYMENTS],
  "reports.author_id": [
    "kind,target_id,reason,text,author_id,path",
    "The words of the reporter; the kept text is gone.",
  ],
  "session_totals.user_id": ["user_id,goal_uuid,action", "Numbers in everybody's totals (decision 10)."],
  "sessions.owner_id": [
    "slug,owner_id,title,title_pairs,content,content_html,summary,prompt,category,join_code,series_day",
    SHARED,
  ],
  "tag_counts.user_id": ["user_id,tag", "Triggers delete it with its tags, and this row has none."],
};

type Row = Record<string, unknown>;
let count = 0;
/** An instant that no other row has. */
const anInstant = (): number => 1_700_000_000_000 + ++count;
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
  attendance: ({ session }) => ({ session_id: session }),
  deliveries: (_, { user_id, key }) => ({
    key: `${user_id}:${key}`,
    kind: "session-cancelled",
    state: "sent",
  }),
  goal_days: () => ({ is_shared: 1, amount: ++count }),
  goal_tags: ({ goal }) => ({ goal_id: goal }),
  logs: () => ({ status: 2 }),
  notices: () => ({ kind: "session-cancelled" }),
  paraphrases: ({ snippet }) => ({ snippet_id: snippet }),
  posts: ({ hut }) => ({ hut_id: hut }),
  push_subscriptions: ({ login }) => ({ login_hash: login }),
  rota_hosts: ({ series }) => ({ series_id: series, accepted_at: anInstant() }),
  sanctions: ({ session }) => ({ scope: "session", kind: "mute", target_id: session }),
  sessions: () => ({ duration: 3600, closed_at: NOW, schedule: '{"groups":[]}' }),
  standing_seats: ({ series }) => ({ series_id: series }),
  token_lots: () => ({ granted: 2, remaining: 1 }),
  two_step: () => ({ confirmed_at: anInstant() }),
};
/** Further rows, whose place decides their fate. */
const MORE: readonly [name: string, table: string, values: (parents: Parents) => Row][] = [
  ["logs in a session", "logs", ({ session }) => ({ session_id: session })],
  ["goals of a session", "goals", ({ session }) => ({ session_id: session })],
  ["items that are books", "items", () => ({ is_book: 1 })],
];

const NAMED = /(^|_)(user|owner|actor|author|blocked|person|reporter)_id$|^paid_by$/;
const tables = Object.values(schema).filter((one) => is(one, SQLiteTable)) as unknown as SQLiteTable[];
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
    if (column === own) row[column.name] = idOf(people.user);
    else if (isUser(table, column)) row[column.name] = column.notNull ? idOf(people.other) : null;
    else if (to !== undefined) row[column.name] = column.notNull ? (ids[to] ?? null) : null;
    else if (column.generated || (column.primary && column.dataType === "number")) continue;
    else if (column.dataType === "json") {
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

/** Everything in the database, by table. */
async function dump(): Promise<Record<string, Row[]>> {
  const all: Record<string, Row[]> = {};
  for (const table of tables) {
    const name = getTableName(table);
    all[name] = (await env.DB.prepare(`SELECT * FROM ${name}`).all<Row>()).results;
  }
  return all;
}

let exported = "";
let user: TestUser;
const rows = new Map<string, { table: string; own: string; row: Row }>();
let left: Record<string, Row[]> = {};

beforeAll(async () => {
  const other = await makeUser();
  user = await makeUser();
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
      rowOf({ ...place, name: `parent ${place.name}` }, { user: other, other }, ids),
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
    const plain = rowOf({ ...place, name }, people, ids);
    const row = { ...plain, ...VALUES[table]?.(parents, plain), ...values };
    const made = await insert(table, row);
    rows.set(name, { table, own: place.own.name, row });
    return Number(made?.id);
  };
  for (const place of places) {
    // These columns name the user of another column, or are part of a row that is there already.
    if (/^participants\.(person_id|paid_by)$|^(waiters|blocks)\.person_id$/.test(place.name)) continue;
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
  for await (const chunk of (await exportFile(await appOf(user), { file: "everything.json" })).chunks)
    exported += chunk;
  const due = instant(NOW + 1);
  await db.update(schema.users).set({ deletionDueAt: due }).where(eq(schema.users.id, user.id));
  const night = await testApp({ now: due });
  expect(await deleteDueAccounts(night)).toEqual({ deleted: 1, failed: 0 });
  expect(await eraseChats(night)).toMatchObject({ failed: 0 });
  left = await dump();
}, 60_000);

/** Texts and instants that are in no other row. */
const marksOf = (row: Row): string[] =>
  Object.values(row).flatMap((value) => {
    if (typeof value === "string" && value.includes("«"))
      return [value.startsWith("{") ? String(JSON.parse(value).title) : value];
    const isOwn =
      typeof value === "number" && value > 1_700_000_000_000 && value <= 1_700_000_000_000 + count;
    return isOwn ? [new Date(value).toISOString(), String(value)] : [];
  });
const isMarked = (value: unknown): boolean => typeof value === "string" && value.includes("«");

test("Q-40 Q-42 the export has every row of the user, or the row is a written exception", () => {
  const missing = [...rows].filter(([, { row }]) => !marksOf(row).some((mark) => exported.includes(mark)));
  expect(missing.map(([name]) => name).sort()).toEqual(Object.keys(NOT_EXPORTED).sort());
});

test("Q-41 Q-42 the deletion leaves no row of the user and no word, or the row is a written exception", () => {
  const kept = [...rows].flatMap(([name, { table, own, row }]) => {
    const marked = Object.keys(row).filter((column) => isMarked(row[column]));
    // A row is found by what is left of its marks.
    const found = (left[table] ?? []).find((one) => marked.some((column) => one[column] === row[column]));
    const columns = Object.keys(row).filter(
      (column) => found?.[column] === row[column] && (column === own || isMarked(row[column])),
    );
    return columns.length > 0 ? [[name, columns.join()]] : [];
  });
  expect(Object.fromEntries(kept)).toEqual(
    Object.fromEntries(Object.entries(KEPT).map(([name, [columns]]) => [name, columns])),
  );
});

test("Q-41 Q-42 after the deletion no table names the user, or has a row without words", () => {
  const named = Object.entries(left).filter(([, all]) =>
    [user.username, user.email].some((word) => JSON.stringify(all).includes(word)),
  );
  // The farewell is the last email (N-34), which a local run keeps.
  expect(named.map(([table]) => table)).toEqual(["mailbox"]);
  const tablesWithKept = new Set([...rows].flatMap(([name, { table }]) => (name in KEPT ? [table] : [])));
  const holding = [...rows].filter(
    ([, { table, own, row }]) =>
      !tablesWithKept.has(table) && (left[table] ?? []).some((one) => one[own] === row[own]),
  );
  expect(holding.map(([name]) => name)).toEqual([]);
});
