// Personal keys (O-01 to O-09): making, listing and revoking them, and the user of a request with one.
import { hash } from "node:crypto";
import { type Database, runBatch } from "#db/connect.server";
import * as queries from "#db/queries/accounts/api-keys";
import { recordIfChanged } from "#db/queries/accounts/change-emails";
import { findOwnGoal } from "#db/queries/goals/notes";
import { deleteNoticesOf } from "#db/queries/notices/notices";
import {
  KEY_NEEDS_ADDRESS,
  KEY_PATTERN,
  KEY_PREFIX,
  KEY_START,
  type KeyScope,
  type ListedKey,
  LOG_KEY_DAYS,
  LOG_SCOPE,
  MAX_KEY_NAME_CHARS,
  MAX_KEYS,
  MAX_LOG_KEYS,
  scopesOf,
  TOO_MANY_KEYS,
  TOO_MANY_LOG_KEYS,
  warnsUntil,
} from "~/domain/accounts/api-keys";
import { beginningOf } from "~/domain/beginnings";
import { AppError } from "~/domain/errors";
import { isolateRtl } from "~/domain/isolated";
import { asOrdinary, requireUser } from "~/domain/permissions";
import { DAY, HOUR, type Instant, instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { accountChangeCause } from "./change-emails.server";
import { asCurrentUser } from "./logins.server";

/** A key ends with this checksum, so that a mistyped or invented key costs no query (O-02). */
const checksumOf = (random: string): string => hash("sha256", random, "base64url").slice(0, 6);

function newKey(): string {
  const random = newToken();
  return KEY_PREFIX + random + checksumOf(random);
}

export const isWellFormed = (key: string): boolean => {
  const [, random = "", checksum] = KEY_PATTERN.exec(key) ?? [];
  return random !== "" && checksum === checksumOf(random);
};

export async function viewKeys(app: App): Promise<{ keys: ListedKey[]; isConfirmed: boolean }> {
  const user = requireUser(app.user);
  const rows = await queries.listKeys(app.db, user.id, app.now);
  const keys = rows.map(({ keyHash, name, start, scopes, createdAt, expiresAt, lastUsedAt }) => ({
    id: keyHash,
    name,
    start,
    scopes: scopesOf(scopes),
    createdAt,
    expiresAt,
    lastUsedAt,
  }));
  return { keys, isConfirmed: user.isConfirmed };
}

/**
 * The answer is the only copy of the key, because the database stores its hash. CONFLICT without a confirmed address,
 * and beyond 20 keys (O-01).
 */
export const createKey = (app: App, input: { name: string; scopes: readonly KeyScope[]; days: number }) =>
  insertNewKey(app, { ...input, goalId: null }, MAX_KEYS, TOO_MANY_KEYS);

/** A key that logs this goal of the user and does nothing else; it ends with the goal (W-04). */
export async function createLogKey(app: App, { goal: id }: { goal: number }): Promise<{ key: string }> {
  const user = requireUser(app.user);
  const [goal] = await findOwnGoal(app.db, id, user.id);
  if (!goal) throw new AppError("NOT_FOUND");
  const input = {
    name: beginningOf(goal.title, MAX_KEY_NAME_CHARS),
    scopes: [LOG_SCOPE],
    days: LOG_KEY_DAYS,
    goalId: id,
  } as const;
  return insertNewKey(app, input, MAX_LOG_KEYS, TOO_MANY_LOG_KEYS);
}

async function insertNewKey(
  app: App,
  input: { name: string; scopes: readonly KeyScope[]; days: number; goalId: number | null },
  maxKeys: number,
  refusal: string,
): Promise<{ key: string }> {
  const user = requireUser(app.user);
  if (!user.isConfirmed) throw new AppError("CONFLICT", KEY_NEEDS_ADDRESS);
  await countUse(app, "change-api-key", user.id);
  const key = newKey();
  const name = input.name.trim();
  const change = accountChangeCause(
    app,
    "sign-in",
    `The key “${isolateRtl(name)}” was made for your account just now. Programs that have it act in your name.`,
  );
  const [[insertedKey]] = await app.db.batch([
    queries.insertKey(
      app.db,
      {
        keyHash: await hashToken(key),
        userId: user.id,
        name,
        start: key.slice(0, KEY_START),
        scopes: input.scopes.join(","),
        goalId: input.goalId,
        createdAt: app.now,
        expiresAt: instant(app.now + input.days * DAY),
      },
      maxKeys,
    ),
    recordIfChanged(app.db, change, user.id),
  ]);
  if (!insertedKey) throw new AppError("CONFLICT", refusal);
  logSecurity(app, { event: "api-key-made", userId: user.id });
  wakeEvents(app, [change]);
  return { key };
}

/** Revokes a key of the user, whose next request is then refused. Idempotent. */
export async function revokeKey(app: App, { key }: { key: string }): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-api-key", user.id);
  const [[revoked]] = (await runBatch(app.db, [
    queries.deleteKey(app.db, user.id, key),
    ...deleteNoticesOf(app.db, user.id, subjectOfKey(key)),
  ])) as [unknown[]];
  if (revoked) logSecurity(app, { event: "api-key-revoked", userId: user.id });
}

export type KeyOwner = { user: CurrentUser; key: NonNullable<App["key"]> };

/** The user of a live key, without the rights of a super admin; null for any other text (O-05). */
export async function findUserByKey(
  db: Database,
  key: string,
  now: Instant,
  defer: (work: Promise<unknown>) => void,
): Promise<KeyOwner | null> {
  if (!isWellFormed(key)) return null;
  const keyHash = await hashToken(key);
  const [row] = await queries.findUserOfKey(db, keyHash, now);
  if (!row) return null;
  if ((row.lastUsedAt ?? 0) <= now - HOUR) defer(queries.touchKey(db, keyHash, now).then(() => {}));
  return {
    user: asOrdinary(asCurrentUser({ ...row, checkedAt: null }, keyHash)),
    key: { id: keyHash, scopes: scopesOf(row.scopes), goalId: row.goalId },
  };
}

/** Keys that one night announces. */
const MAX_KEYS_A_RUN = 500;

const subjectOfKey = (keyHash: string): string => `key:${keyHash.slice(0, 16)}`;

/** Tells owners of keys that end within seven days, each once (O-08). */
export async function warnOfEndingKeys(app: App): Promise<{ warned: number; failed: number }> {
  const ending = await queries.listExpiringKeys(app.db, app.now, warnsUntil(app.now), MAX_KEYS_A_RUN);
  const { done, failed } = await runEachRow(app, ending, {
    job: "warn-of-ending-keys",
    nameOf: ({ userId, start }) => `${userId}:${start}`,
    async runRow({ keyHash, name, expiresAt, userId }) {
      const cause = newEvent(
        { now: app.now, user: null },
        {
          kind: "key-ends",
          subject: subjectOfKey(keyHash),
          body: { title: name, path: "/account/api", endsAt: expiresAt, to: [userId] },
        },
      );
      await runBatch(app.db, queries.recordKeyWarning(app.db, keyHash, cause));
      return cause;
    },
  });
  wakeEvents(
    app,
    done.map(({ result }) => result),
  );
  return { warned: done.length, failed: failed.length };
}
