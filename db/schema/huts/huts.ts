// Tables of huts, their members, and the requests and invitations to enter private huts.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { HUT_ROLE, type HutRole } from "~/domain/roles";
import { users } from "../accounts/accounts";
import {
  fitsRow,
  flagColumn,
  idColumn,
  instantColumn,
  personColumn,
  richTextColumns,
  showsUpload,
  stampColumns,
  titlePairsColumn,
} from "../columns";

/**
 * Triggers (triggers.sql): `hut_private_changed`, `hut_search_changed`, `hut_search_gone`, `hut_search_new`,
 * `hut_search_renamed`, `sanctions_of_hut`.
 */
export const huts = sqliteTable(
  "huts",
  {
    id: idColumn(),
    slug: text("slug").notNull().unique("hut_slug_unique"),
    title: text("title").notNull(),
    titlePairs: titlePairsColumn(),
    ...richTextColumns(),
    ownerId: integer("owner_id")
      .notNull()
      .references(() => users.id),
    /** The number of members, written in the same batch as joins and leaves. */
    userCount: integer("user_count").notNull().default(0),
    /** Only members can see the hut and its contents. */
    isPrivate: flagColumn("is_private"),
    /** SHA-256 of the code in the invitation link; null: no link. */
    inviteHash: text("invite_hash"),
    /**
     * The same code encrypted, so that owner and moderators see it again; null for a link from before this column
     * (R-82).
     */
    inviteSealed: text("invite_sealed"),
    /** The maker of the link. */
    invitedBy: integer("invited_by").references(() => users.id, { onDelete: "set null" }),
    ...stampColumns(),
  },
  (t) => [
    index("huts_with_uploads").on(t.id).where(showsUpload("huts")),
    index("huts_by_owner").on(t.ownerId, t.id),
    index("huts_listed").on(t.id).where(sql`is_private = 0`),
    uniqueIndex("huts_by_invitation").on(t.inviteHash).where(sql`invite_hash IS NOT NULL`),
    check("members_not_negative", sql`${t.userCount} >= 0`),
    ...fitsRow([t.content, t.contentHtml, t.summary]),
  ],
);

export const hutMembers = sqliteTable(
  "hut_members",
  {
    hutId: integer("hut_id")
      .notNull()
      .references(() => huts.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: personColumn(),
    joinedAt: instantColumn("joined_at").notNull(),
    /** 1: a moderator. The owner needs no role. */
    role: integer("role").$type<HutRole>().notNull().default(HUT_ROLE.member),
  },
  (t) => [
    primaryKey({ name: "one_membership_per_user", columns: [t.hutId, t.userId] }),
    index("hut_members_by_user").on(t.userId, t.hutId),
    index("hut_moderators").on(t.hutId).where(sql`role = 1`),
  ],
);

/** People who ask to enter a private hut, for 30 days each; WITHOUT ROWID. */
export const hutRequests = sqliteTable(
  "hut_requests",
  {
    hutId: integer("hut_id")
      .notNull()
      .references(() => huts.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: personColumn(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_request_per_user", columns: [t.hutId, t.userId] }),
    index("hut_requests_by_user").on(t.userId),
    index("hut_requests_by_age").on(t.createdAt),
  ],
);

/**
 * Invitations that people accepted before they confirmed their address, to bring them back to it; WITHOUT ROWID.
 */
export const acceptedInvitations = sqliteTable(
  "accepted_invitations",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    hutId: integer("hut_id")
      .notNull()
      .references(() => huts.id, { onDelete: "cascade" }),
    /** The hash of the accepted link. Once the hut has another link, this invitation no longer counts. */
    inviteHash: text("invite_hash").notNull(),
    /** The session that the link led to, as it was written; no foreign key, because a link may name any number. */
    session: integer("session"),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    index("accepted_invitations_by_hut").on(t.hutId),
    index("accepted_invitations_by_age").on(t.createdAt),
  ],
);
