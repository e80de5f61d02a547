// A row in every table with a user, made from the schema: the export has it and the deletion leaves nothing of it, but
// for written exceptions.
import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { type EveryRow, fillTables, isMarked, marksOf, type Row, tables } from "#tests/support/every-row";
import { appOf, makeUser, NOW, setUser, type TestUser, testApp } from "#tests/support/factories";
import { instant } from "~/domain/time";
import { exportFile } from "~/use-cases/accounts/export.server";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { eraseChats } from "~/use-cases/room/chat-erasures.server";

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
  "accepted_invitations.user_id": RUNNING,
  "blocks.blocked_id": "A block shows no sign (Q-11).",
  "calendar_feeds.user_id": HASHES,
  "chat_erasures.user_id": "Exists only after the account is gone.",
  "confirmations.user_id": HASHES,
  "customers.user_id": PROVIDER,
  "deliveries.actor_id": "A message to somebody else.",
  "devices.user_id": HASHES,
  "events.actor_id": "A cause without its reader, until the notices are written; those are exported.",
  "goals of a session": "The plan of a session, which its people share.",
  "guest_bans.user_id": HASHES,
  "huts.invited_by": "The export lists the hut for its owner and members.",
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
  "tag_counts.user_id": COUNTED,
};

const TEXT = "title,content,content_html,summary";
/** Rows that the deletion leaves: the columns that still hold what was in them, and the reason. */
const KEPT: Record<string, readonly [columns: string, reason: string]> = {
  "activities.owner_id": [`title,title_pairs,content,content_html,summary,owner_id`, SHARED],
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
  "guest_bans.user_id": ["hash,user_id", "A ban keeps a number, never a name (H-21)."],
  "huts.invited_by": [`title,title_pairs,content,content_html,summary,invite_hash,invite_sealed`, SHARED],
  "huts.owner_id": [
    `title,title_pairs,content,content_html,summary,owner_id,invite_hash,invite_sealed`,
    SHARED,
  ],
  "items that are books": [`person_id,title,title_pairs,slug,content,content_html,summary,type,url`, SHARED],
  "logs in a session": [
    "uuid,user_id,session_goal_uuid,action,ql_button_uuid,timer_uuid,day",
    "It counts in everybody's totals, without a word.",
  ],
  "open_payments.user_id": ["payment_intent,user_id", RUNNING],
  "participants.user_id": ["user_id,person_id,seat,handle", SHARED],
  "pool_entries.user_id": ["user_id,reference", PAYMENTS],
  "posts.user_id": [`user_id,${TEXT}`, SHARED],
  "purchases.user_id": ["user_id,payment_intent", PAYMENTS],
  "reports.author_id": [
    "kind,target_id,reason,text,author_id,path",
    "The words of the reporter; the kept text is gone.",
  ],
  "series.owner_id": [
    "owner_id,title,slug,rule,time_zone,local_start,template,problem",
    "The sessions of its people refer to it; it has ended or another host has it (R-88).",
  ],
  "session_totals.user_id": ["user_id,goal_uuid,action", "Numbers in everybody's totals (decision 10)."],
  "sessions.owner_id": [
    "owner_id,title,title_pairs,content,content_html,summary,prompt,category,join_code,series_day",
    SHARED,
  ],
  "tag_counts.user_id": ["user_id,tag", "Triggers delete it with its tags, and this row has none."],
};

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
let rows: EveryRow["rows"];
let left: Record<string, Row[]> = {};

beforeAll(async () => {
  user = await makeUser();
  ({ rows } = await fillTables(user, await makeUser()));
  for await (const chunk of (await exportFile(await appOf(user), { file: "everything.json" })).chunks)
    exported += chunk;
  const due = instant(NOW + 1);
  await setUser(user.id, { deletionDueAt: due });
  const night = await testApp({ now: due });
  expect(await deleteDueAccounts(night)).toEqual({ deleted: 1, failed: 0 });
  expect(await eraseChats(night)).toMatchObject({ failed: 0 });
  left = await dump();
}, 60_000);

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
      (column) =>
        found?.[column] === row[column] &&
        (column === own || column === "person_id" || isMarked(row[column])),
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
