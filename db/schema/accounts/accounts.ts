// Tables of accounts: users, their persons, and everything that signs them in. "Session" never means a login.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DISTANCE_UNITS } from "~/domain/distances";
import { USER_ROLE } from "~/domain/roles";
import { flagColumn, idColumn, instantColumn, jsonColumn, stampColumns } from "../columns";

/** Triggers (triggers.sql): `users_email_kept_changed`, `users_email_kept_new`. */
export const users = sqliteTable(
  "users",
  {
    id: idColumn(),
    email: text("email").notNull(),
    /** Null until the link mailed to this address is confirmed. */
    emailConfirmedAt: instantColumn("email_confirmed_at"),
    /** The username of the first person, which also names the account (V-04). */
    username: text("username").notNull(),
    firstName: text("first_name").notNull().default(""),
    lastName: text("last_name").notNull().default(""),
    passwordHash: text("password_hash").notNull(),
    roleId: integer("role_id").notNull().default(USER_ROLE.ordinary),
    /** The person as which the user acts now; null for a guest, who has one only (H-20). */
    personId: integer("person_id"),
    timeZone: text("time_zone").notNull().default("UTC"),
    /** The browser's locale at the last sign-in; null without a sign-in since this column exists. */
    locale: text("locale"),
    /** Null: the browser's locale decides (H-07). */
    distanceUnit: text("distance_unit", { enum: DISTANCE_UNITS }),
    /** Comma-separated keys of messages not yet shown (U-58). */
    newMessages: text("new_messages").notNull().default("free_tokens"),
    isNew: integer("is_new", { mode: "boolean" }).notNull().default(true),
    poolRedeemedAt: instantColumn("pool_redeemed_at"),
    deletionDueAt: instantColumn("deletion_due_at"),
    /** The number of unread rows of `notices` (N-12). */
    unreadNotices: integer("unread_notices").notNull().default(0),
    /** Quiet hours in minutes of the local day; null for none (N-15). */
    quietFrom: integer("quiet_from"),
    quietTo: integer("quiet_to"),
    digest: text("digest", { enum: ["off", "daily", "weekly"] })
      .notNull()
      .default("off"),
    /** Emails that the address's server refused permanently since the address was confirmed or changed (N-35). */
    mailFailures: integer("mail_failures").notNull().default(0),
    /** The instant of the refusal that stopped the mail; null while the account gets mail. */
    mailFailingAt: instantColumn("mail_failing_at"),
    /**
     * The only session of a guest, who has no account (H-19). It is no foreign key, because a guest of a deleted
     * session stays a guest. Ids of sessions are never reused.
     */
    guestOf: integer("guest_of"),
    /** When everything of the guest is erased (H-21); null until the session is over. */
    endsAt: instantColumn("ends_at"),
    /** SHA-256 of the guest's network and session, by which a ban keeps the network out (H-24). */
    guestNetwork: text("guest_network"),
    ...stampColumns(),
  },
  (t) => [
    uniqueIndex("users_email_unique").on(sql`lower(${t.email})`),
    uniqueIndex("users_username_unique").on(sql`lower(${t.username})`),
    index("users_deletion_due").on(t.deletionDueAt).where(sql`deletion_due_at IS NOT NULL`),
    index("users_by_guest").on(t.guestOf).where(sql`guest_of IS NOT NULL`),
  ],
);

export const persons = sqliteTable(
  "persons",
  {
    id: idColumn(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    username: text("username").notNull(),
    title: text("title").notNull().default(""),
    /** Whether the profile shows attended sessions and the streak. */
    showsAttended: flagColumn("shows_attended"),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("persons_username_unique").on(sql`lower(${t.username})`),
    index("persons_by_user").on(t.userId),
    check("username_well_formed", sql`length(${t.username}) BETWEEN 3 AND 30`),
  ],
);

/** The names of deleted accounts, as hashes under DATA_KEY, until anybody may take them again; WITHOUT ROWID. */
export const keptNames = sqliteTable(
  "kept_names",
  {
    hash: text("hash").primaryKey(),
    until: instantColumn("until").notNull(),
  },
  (t) => [index("kept_names_by_end").on(t.until)],
);

/** A row per signed-in browser. The cookie holds a random token, this row its SHA-256. */
export const logins = sqliteTable(
  "logins",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    userAgent: text("user_agent").notNull().default(""),
    place: text("place").notNull().default(""),
    createdAt: instantColumn("created_at").notNull(),
    lastSeenAt: instantColumn("last_seen_at").notNull(),
    /** The instant of the user's last password, code or passkey; null for a login older than this column. */
    checkedAt: instantColumn("checked_at"),
    expiresAt: instantColumn("expires_at").notNull(),
  },
  (t) => [index("logins_by_user").on(t.userId, t.lastSeenAt), index("logins_by_expiry").on(t.expiresAt)],
);

/**
 * Browsers that have signed in to an account before. The cookie holds a random token, this row its SHA-256; it
 * affects the counting of attempts and the seats of guests, and signs nobody in.
 */
export const devices = sqliteTable(
  "devices",
  {
    tokenHash: text("token_hash").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The browser's last login: revoking that login deletes this row too. */
    loginHash: text("login_hash").notNull(),
    expiresAt: instantColumn("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ name: "device_once_per_user", columns: [t.userId, t.tokenHash] }),
    index("devices_by_token").on(t.tokenHash),
    index("devices_by_expiry").on(t.expiresAt),
  ],
);

/** A reset link works once and for 60 minutes. */
export const passwordResets = sqliteTable(
  "password_resets",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: instantColumn("created_at").notNull(),
    expiresAt: instantColumn("expires_at").notNull(),
    usedAt: instantColumn("used_at"),
  },
  (t) => [index("password_resets_by_expiry").on(t.expiresAt), index("password_resets_by_user").on(t.userId)],
);

/**
 * Mailed links: `confirm` confirms the account's email, `restore` gives the account its old email back.
 * While a `restore` link is live, triggers of the migration keep its email from other accounts.
 */
export const confirmations = sqliteTable(
  "confirmations",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["confirm", "restore"] }).notNull(),
    email: text("email").notNull(),
    createdAt: instantColumn("created_at").notNull(),
    expiresAt: instantColumn("expires_at").notNull(),
    usedAt: instantColumn("used_at"),
  },
  (t) => [
    index("confirmations_by_user").on(t.userId),
    index("confirmations_to_restore").on(sql`lower(${t.email})`).where(sql`kind = 'restore'`),
    check("confirmation_kind", sql`${t.kind} IN ('confirm', 'restore')`),
  ],
);

/** Two-step sign-in of an account: on since `confirmedAt`, which is null until the first code. */
export const twoStep = sqliteTable("two_step", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The authenticator's secret, encrypted under DATA_KEY. */
  secret: text("secret").notNull(),
  /** The step of the last accepted code: codes of this step or earlier are refused. */
  lastStep: integer("last_step").notNull().default(0),
  createdAt: instantColumn("created_at").notNull(),
  confirmedAt: instantColumn("confirmed_at"),
});

/** SHA-256 of the unused codes. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
    createdAt: instantColumn("created_at").notNull().default(sql`0`),
  },
  (t) => [primaryKey({ name: "recovery_code_once", columns: [t.userId, t.codeHash] })],
);

/** The public keys of passkeys. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The credential's id from its authenticator, base64url. */
    id: text("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    publicKey: text("public_key").notNull(),
    /** The counter of the last signature; a counting authenticator never sends a lower value. */
    counter: integer("counter").notNull(),
    /** How the browser reaches the authenticator, comma-separated. */
    transports: text("transports").notNull().default(""),
    createdAt: instantColumn("created_at").notNull(),
    lastUsedAt: instantColumn("last_used_at"),
  },
  (t) => [index("passkeys_by_user").on(t.userId)],
);

/**
 * Sign-ins that wait for their second half: the SHA-256 of a second step's token, or of the challenge that a
 * passkey signs. Success consumes a token; the first use consumes a challenge.
 */
export const loginChallenges = sqliteTable(
  "login_challenges",
  {
    tokenHash: text("token_hash").primaryKey(),
    kind: text("kind", { enum: ["two-step", "passkey-login", "passkey-check", "passkey-add"] }).notNull(),
    /** Null until a passkey has identified the user. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    tries: integer("tries").notNull().default(0),
    expiresAt: instantColumn("expires_at").notNull(),
  },
  (t) => [
    index("login_challenges_by_user").on(t.userId),
    index("login_challenges_by_expiry").on(t.expiresAt),
    check("challenge_has_owner", sql`${t.kind} = 'passkey-login' OR ${t.userId} IS NOT NULL`),
  ],
);

/** Mails of a local run (P-45). */
export const mailbox = sqliteTable("mailbox", {
  id: idColumn(),
  recipient: text("recipient").notNull(),
  subject: text("subject").notNull(),
  html: text("html").notNull(),
  text: text("text").notNull(),
  headers: jsonColumn<Record<string, string>>("headers").notNull().default({}),
  attachments: jsonColumn<{ filename: string; type: string; content: string }[]>("attachments")
    .notNull()
    .default([]),
  sentAt: instantColumn("sent_at").notNull(),
});

/** The first answer of a repeatable write, for 24 hours. */
export const repeatedRequests = sqliteTable(
  "repeated_requests",
  {
    userId: integer("user_id").notNull(),
    key: text("key").notNull(),
    call: text("call").notNull(),
    /** SHA-256 of the body: a key belongs to one body. */
    bodyHash: text("body_hash").notNull().default(""),
    /** The id of the inserted row, from which an answer that was not stored is read again. */
    made: integer("made"),
    status: integer("status"),
    answer: text("answer"),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    primaryKey({ name: "request_once", columns: [t.userId, t.key] }),
    index("repeated_requests_by_age").on(t.createdAt),
  ],
);
