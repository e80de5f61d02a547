// The readers of what a report may concern, a reader for each kind. Each reads the target as its reporter sees it, and
// is NOT_FOUND for a target that the reporter may not see.
import * as huts from "#db/queries/huts/huts";
import * as items from "#db/queries/items/items";
import * as blocks from "#db/queries/safety/blocks";
import { findRecipient, findReportedPerson } from "#db/queries/safety/reports";
import { listMutesOf } from "#db/queries/safety/sanctions";
import { findSeatByName } from "#db/queries/sessions/participants";
import { deletedName } from "~/domain/accounts/deleted";
import { AppError } from "~/domain/errors";
import { isHandle } from "~/domain/room/aliases";
import { hiddenOf } from "~/domain/safety/blocks";
import {
  aimTarget,
  keptGuestName,
  lineOfTarget,
  type ReportKind,
  type ReportTarget,
  seatOfTarget,
} from "~/domain/safety/report-targets";
import { REPORT_GONE } from "~/domain/safety/reports";
import { isInForce } from "~/domain/safety/sanctions";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { requireHut } from "~/use-cases/huts/huts.server";
import { canSeeItem, itemView } from "~/use-cases/items/items.server";
import { readMessage } from "~/use-cases/room/chat.server";
import { readPost } from "~/use-cases/sessions/posts.server";
import {
  mayRead,
  mayRun,
  readSession,
  seatOfRow,
  sessionPath,
  shownOwner,
  shownRow,
} from "~/use-cases/sessions/read.server";
import { viewerOf } from "~/use-cases/viewer.server";

/** The target as the reporter sees it now. `author` is empty if the reporter may not know it. */
export type ShownTarget = ReportTarget & { author: string; text: string; path: string };
/** `realAuthor` is for the people who decide, where `author` is empty; `keptId` replaces an id that contains a guest's name. */
export type TargetWithAuthor = ShownTarget & { authorId: number; realAuthor?: string; keptId?: string };
type TargetReader = (app: App, user: CurrentUser, target: ReportTarget) => Promise<TargetWithAuthor>;

export const refuseMissing = (): never => {
  throw new AppError("NOT_FOUND", REPORT_GONE);
};
const isId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id);
const parseTargetId = ({ id }: ReportTarget): number => (isId(id) ? Number(id) : refuseMissing());
const textOf = (...texts: string[]): string => texts.filter((text) => text !== "").join("\n\n");

const readMessageTarget: TargetReader = async (app, _user, target) => {
  const { session, line } = lineOfTarget(target.id) ?? refuseMissing();
  const message = (await readMessage(app, { session, seq: line })) ?? refuseMissing();
  const { userId, username, content } = message;
  return {
    ...target,
    authorId: userId,
    author: username,
    text: content,
    path: `${sessionPath(session)}/chat`,
  };
};

const readPostTarget: TargetReader = async (app, user, target) => {
  const { post, path } = await readPost(app, user, parseTargetId(target));
  if (post.removedAt !== null) refuseMissing();
  const [block] = await blocks.findBlockBetween(app.db, user.id, post.userId);
  if (block) refuseMissing();
  return {
    kind: "post",
    id: String(post.id),
    authorId: post.userId,
    author: post.username,
    text: textOf(post.title, post.content),
    path,
  };
};

const readItemTarget: TargetReader = async (app, _user, target) => {
  const [row] = await items.findItem(app.db, parseTargetId(target), viewerOf(app));
  if (!row || !canSeeItem(app, row)) return refuseMissing();
  const [person] = await blocks.findPersonByName(app.db, row.username);
  const view = itemView(app, row);
  return {
    kind: "item",
    id: String(row.id),
    authorId: person?.userId ?? 0,
    author: row.username,
    text: textOf(row.title, row.content),
    path: view.path,
  };
};

const readPersonTarget: TargetReader = async (app, _user, target) => {
  const [person] = await findReportedPerson(app.db, target.id);
  if (!person) return refuseMissing();
  const { username, title, userId, guestOf } = person;
  // The words of an account or a guest that is gone are gone too.
  if (username === deletedName(userId) || (guestOf ?? 0) < 0) return refuseMissing();
  if (guestOf !== null) {
    const row = await readSession(app, { session: guestOf });
    if (!mayRead(app, row)) refuseMissing();
  }
  return {
    kind: "person",
    id: username,
    authorId: userId,
    author: username,
    text: textOf(title),
    ...(guestOf === null
      ? { path: `/${username}` }
      : { path: sessionPath(guestOf), keptId: keptGuestName(person.personId) }),
  };
};

const readSessionTarget: TargetReader = async (app, _user, target) => {
  const row = await readSession(app, isId(target.id) ? { session: Number(target.id) } : { slug: target.id });
  const { content } = shownRow(app, row, null, new Map());
  const author = shownOwner(app, row);
  const [account] = author === "" ? await findRecipient(app.db, row.ownerId) : [];
  return {
    kind: "session",
    id: String(row.id),
    authorId: row.ownerId,
    author,
    realAuthor: row.ownerName || account?.username || author,
    text: textOf(row.title, content),
    path: sessionPath(row.id),
  };
};

/** Digits are the hut's id, even where another hut has them as its slug. */
const readHutTarget: TargetReader = async (app, _user, target) => {
  const slug = isId(target.id) ? (await huts.findHutSlug(app.db, Number(target.id)))[0]?.slug : target.id;
  const hut = await requireHut(app, slug ?? "");
  const [owner] = await huts.findOwnerName(app.db, hut.id);
  return {
    kind: "hut",
    id: String(hut.id),
    authorId: hut.ownerId,
    author: owner?.username ?? "",
    text: textOf(hut.title, hut.content),
    path: `/group/${hut.slug}`,
  };
};

const readAimTarget: TargetReader = async (app, _user, target) => {
  const { session, username } = seatOfTarget(target.id) ?? refuseMissing();
  const row = await readSession(app, { session });
  if (seatOfRow(row) === null) refuseMissing();
  const [seat] = isHandle(username) ? [] : await findSeatByName(app.db, session, username);
  if (!seat || seat.aim === "" || hiddenOf(row.hidden).ids.has(seat.userId)) return refuseMissing();
  // A muted person's answer is shown to nobody, and may be reported by the people who mute.
  const mutes = mayRun(app, row) ? [] : await listMutesOf(app.db, session);
  if (mutes.some((mute) => mute.userId === seat.userId && isInForce(mute, app.now))) refuseMissing();
  return {
    ...aimTarget(session, seat.username),
    authorId: seat.userId,
    author: seat.username,
    text: seat.aim,
    path: sessionPath(session),
    ...(seat.guestName && { keptId: aimTarget(session, keptGuestName(seat.personId)).id }),
  };
};

export const targetReaders: Record<ReportKind, TargetReader> = {
  message: readMessageTarget,
  post: readPostTarget,
  item: readItemTarget,
  person: readPersonTarget,
  session: readSessionTarget,
  hut: readHutTarget,
  aim: readAimTarget,
};
