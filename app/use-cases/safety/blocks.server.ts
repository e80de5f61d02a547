// Blocks between people: a block hides all persons of two users from each other, without a notice. Lists
// apply it in SQL, and open rooms are notified.

import { runBatch } from "#db/connect.server";
import * as logins from "#db/queries/accounts/logins";
import { endingsOf } from "#db/queries/endings";
import * as blocks from "#db/queries/safety/blocks";
import { AppError, invalid } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { MAX_BLOCKS, NOT_YOURSELF, TOO_MANY_BLOCKS } from "~/domain/safety/blocks";
import * as safetyRefusals from "~/domain/safety/refusals";
import type { Instant } from "~/domain/time";
import { MAX_NOTIFIED_ROOMS, socketsSince } from "~/use-cases/accounts/logins.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";

type PersonRef = { username: string };
export type BlockedPerson = { username: string; createdAt: Instant };

const countBlock = (app: App, user: CurrentUser): Promise<void> => countUse(app, "block", user.id);

async function readPerson(app: App, { username }: PersonRef) {
  const [person] = await blocks.findPersonByName(app.db, username);
  if (!person) throw new AppError("NOT_FOUND", refusals.noSuchName);
  return person;
}

/** Blocks a person. Idempotent. INVALID for a person of the user, and beyond 500 blocks. */
export async function blockPerson(app: App, input: PersonRef): Promise<PersonRef> {
  const user = requireUser(app.user);
  await countBlock(app, user);
  const person = await readPerson(app, input);
  if (person.userId === user.id) throw invalid("username", NOT_YOURSELF);
  const block = { userId: user.id, blockedId: person.userId, personId: person.id, createdAt: app.now };
  const [inserted = [], existing = []] = (await runBatch(app.db, [
    blocks.insertBlock(app.db, block, MAX_BLOCKS),
    blocks.findBlock(app.db, block),
    ...endingsOf(app.db, "users", "blocked", { userId: user.id, otherId: person.userId }),
  ])) as unknown[][];
  if (existing.length === 0) throw invalid("username", TOO_MANY_BLOCKS);
  if (inserted.length > 0) await notifyRooms(app, user.id, person.userId);
  return { username: person.username };
}

/** Removes a block. Idempotent. */
export async function unblockPerson(app: App, input: PersonRef): Promise<PersonRef> {
  const user = requireUser(app.user);
  await countBlock(app, user);
  const person = await readPerson(app, input);
  const deletedBlock = await blocks.deleteBlock(app.db, { userId: user.id, blockedId: person.userId });
  if (deletedBlock.length > 0) await notifyRooms(app, user.id, person.userId);
  return { username: person.username };
}

/** Notifies the rooms in which either of the two may be listening. */
async function notifyRooms(app: App, ...userIds: [number, number]): Promise<void> {
  const [a, b] = userIds;
  const seatsOf = (userId: number) =>
    logins.listSeatsWithSockets(app.db, userId, socketsSince(app), MAX_NOTIFIED_ROOMS);
  const seats = await app.db.batch([seatsOf(a), seatsOf(b)]);
  for (const sessionId of new Set(seats.flat().map((seat) => seat.sessionId))) notifyRoom(app, sessionId);
}

/** The persons that the user has blocked, by name. */
export async function listBlocks(app: App): Promise<{ blocks: BlockedPerson[] }> {
  const user = requireUser(app.user);
  return { blocks: await blocks.listBlocks(app.db, user.id) };
}

/** All spectators share one frame with every name, so a user with hidden people may not be one. */
export async function requireSameFrame(app: App): Promise<void> {
  if (!app.user) return;
  const [block] = await blocks.findAnyBlock(app.db, app.user.id);
  if (block) throw new AppError("FORBIDDEN", safetyRefusals.pageIsOld);
}
