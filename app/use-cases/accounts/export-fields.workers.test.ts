// The fields of the records of an export, beside those of the API's answers.
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { callAs, dataOf, type Json } from "#tests/support/ask";
import { fillTables } from "#tests/support/every-row";
import { db, makeUser, type TestUser } from "#tests/support/factories";
import { makeSession, sayIn } from "#tests/support/sessions";
import { EVERYTHING, EXPORT_KINDS, type ExportKind, exportPath } from "~/wire/export";

const STAMPS = "created_at,updated_at";
/** The fields of each kind that programs read already. The API's presenters may add to them. */
const FIELDS: Record<ExportKind, string> = {
  account: `username,email,first_name,last_name,time_zone,locale,distance_unit,quiet_from,quiet_to,digest,persons,two_step_since,${STAMPS}`,
  goals: `id,uuid,title,link,content,tags,action,unit,amount,duration,action_duration,distance,sets,completions_required,amount_elapsed,duration_elapsed,distance_elapsed,logs_count,is_interval,timers,is_list,items,quick_log_buttons,recurrence,remind_at,started_at,ended_at,status,completed_at,challenge_event_id,${STAMPS}`,
  days: "day,goal_id,amount,duration,distance,logs,is_skipped",
  logs: `id,uuid,day,goal_id,goal,action,amount,unit,duration,elapsed_duration,is_timed,distance,status,title,content,challenge_event_id,started_at,ended_at,paused_at,${STAMPS}`,
  notes: `id,goal_id,title,content,todo,done,${STAMPS}`,
  items: `id,person,parent_id,group_id,title,slug,content,status,is_book,url,${STAMPS}`,
  paraphrases: `id,person,snippet_id,snippet,title,content,${STAMPS}`,
  posts: `id,challenge_event_id,group_id,parent_id,username,title,content,edited_at,removed_at,${STAMPS}`,
  contributions: "challenge_event_id,username,content,created_at",
  activities: `id,slug,title,content,category,difficulty,duration,is_preset,parts,${STAMPS}`,
  sessions:
    "id,title,started_at,ended_at,is_host,content,prompt,meeting_link,donation_link,joined_at,completed_at,aim,aim_goal_id,waiting_since,attended,has_come",
  series: "id,title,rule,time_zone,local_start,session,paused_at,ended_at,created_at",
  "standing-seats": "series_id,since",
  turns: "series_id,accepted_at",
  groups: "id,slug,title,content,is_owner,joined_at",
  favorites: "kind,id,created_at",
  uploads: "url,type,bytes,created_at",
  tokens: "id,kind,granted,remaining,expires_at,created_at",
  "token-entries": "id,lot_id,tokens,reason,created_at",
  purchases: "id,usd,tokens,token_pool,created_at",
  subscriptions: "id,product,next_product,start_date,end_date,period_end,stripe_sub_status,is_subscribed",
  logins: "device,place,created_at,last_seen_at",
  blocks: "username,created_at",
  sanctions: "scope,id,kind,until,reason,created_at",
  reports: "kind,id,reason,text,created_at,closed_at",
  decisions: "kind,id,act,reason,text,created_at,appeal,appealed_at,is_granted,answer,answered_at",
  passkeys: "name,created_at,last_used_at",
  "api-keys": "name,start,scopes,created_at,expires_at,last_used_at",
  follows: "challenge_id,created_at",
  requests: "group_id,created_at",
  messages: "challenge_event_id,seq,content,edited_at,created_at",
  notices: "id,text,created_at,read_at",
  "notification-settings": "kind,channel,value",
  deliveries: "kind,channel,state,reason,due_at,created_at",
};

let user: TestUser;
let file: Record<string, Json[]>;
const recordsOf = (kind: ExportKind): Json[] => file[kind.replace("-", "_")] ?? [];

beforeAll(async () => {
  user = await makeUser();
  await fillTables(user, await makeUser());
  await db.run(sql`UPDATE notices SET body = json_set(body, '$.path', '/my/sessions')`);
  for (const change of [
    "activities SET is_template = 1",
    "attendance SET has_come = 1",
    "decisions SET kind = 'post', act = 'remove', is_granted = 1",
    "deliveries SET channel = 'email'",
    "favorites SET kind = 'activity'",
    "goal_days SET is_skipped = 1",
    "notice_settings SET kind = 'session-cancelled', channel = 'email'",
    "purchases SET to_pool = 1",
    "reports SET kind = 'post', reason = 'spam'",
  ])
    await db.run(sql.raw(`UPDATE ${change}`));
  const { id } = await makeSession(user);
  await callAs(user, "POST", `/challenge-events/${id}/start`, {});
  await sayIn(user, id);
  const answer = await callAs(user, "GET", exportPath(EVERYTHING));
  expect(answer.status).toBe(200);
  file = answer.body;
}, 60_000);

test.each(EXPORT_KINDS)(
  "X-17 a record of %s has its fields, and the same as the others in its table",
  (kind) => {
    const [first, ...others] = recordsOf(kind);
    expect(Object.keys(first)).toEqual(expect.arrayContaining(FIELDS[kind].split(",")));
    for (const other of others) expect(Object.keys(other)).toEqual(Object.keys(first));
  },
);

/** Fields with a value of a closed set. */
const CLOSED = /^((is|has|can)_.*|.*status|kind|state|scope|channel|act|digest|token_pool)$/;
/** These values in one record of each kind that has such fields. */
const VALUES: Partial<Record<ExportKind, Json>> = {
  account: { is_new: 1, digest: "off" },
  goals: {
    title: "Read a book",
    status: 1,
    is_progress_complete: 0,
    is_interval: 0,
    is_list: 0,
    can_complete: 1,
    is_owner: 1,
    is_custom_duration: 0,
  },
  days: { is_skipped: 1 },
  logs: { status: 2, is_timed: 0 },
  items: { status: 0, is_book: 1 },
  posts: { is_removed: 0, is_owner: 1 },
  activities: {
    slug: expect.stringMatching(/^rows-activity/),
    is_preset: 1,
    is_joined: 0,
    is_manually_started: 0,
    can_join: 1,
    status: 0,
  },
  sessions: { status: 0, is_free: 0, is_joined: 1, is_host: 0, role: 0, has_come: 1 },
  series: { is_mine: 1, is_paused: 0, has_ended: 0, is_free: 0 },
  groups: { is_joined: 1, is_owner: 0, content: null },
  favorites: { kind: "challenge" },
  tokens: { kind: "welcome" },
  purchases: { token_pool: 1 },
  subscriptions: {
    product: expect.objectContaining({ name: "goals_sub" }),
    next_product: "goals_sub",
    stripe_sub_status: "canceled",
    is_subscribed: 0,
  },
  sanctions: { scope: "session", kind: "mute" },
  reports: { kind: "post", reason: "spam" },
  decisions: { kind: "post", act: "remove", is_granted: 1 },
  messages: { is_removed: 0, messageable_type: "challenge_event" },
  notices: { is_unread: 1 },
  "notification-settings": { kind: "session-cancelled", channel: "email" },
  deliveries: { kind: "session-cancelled", channel: "email", state: "sent" },
};

test.each(EXPORT_KINDS)(
  "X-13 X-17 a record of %s has its flags and its words as the API has them",
  (kind) => {
    const values = VALUES[kind] ?? {};
    expect(Object.keys(recordsOf(kind)[0]).filter((name) => CLOSED.test(name) && !(name in values))).toEqual(
      [],
    );
    expect(recordsOf(kind)).toContainEqual(expect.objectContaining(values));
  },
);

/** The call that lists the things of a kind, and its field. */
const LISTS: [ExportKind, path: string, field: string][] = [
  ["goals", "/api/my/goals", "goals"],
  ["logs", "/api/my/logs", "logs"],
  ["notes", "/api/my/notes", "notes"],
  ["sessions", "/api/my/sessions", "sessions"],
  ["series", "/api/my/series", "series"],
  ["notices", "/api/my/notices", "notices"],
];

test.each(LISTS)("X-13 X-17 a record of %s has all that the API answers at %s", async (kind, path, field) => {
  const answered: Json[] = (await dataOf(user, path))[field];
  const ids = recordsOf(kind).map(({ id }) => id);
  const own = answered.filter(({ id }) => ids.includes(id));
  expect(own.length).toBeGreaterThan(0);
  for (const { logs: _, ...fields } of own)
    expect(recordsOf(kind).find(({ id }) => id === fields.id)).toMatchObject(fields);
});

test("X-13 X-17 the account's record has all that the API answers about the user", async () => {
  const { body } = await callAs(user, "GET", "/get-user");
  expect(recordsOf("account")).toMatchObject([body]);
});
