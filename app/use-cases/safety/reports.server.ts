// Reports of texts, people, sessions and huts. A report stores text, author and link as the reporter
// sees them.

import * as huts from "#db/queries/huts/huts";
import * as items from "#db/queries/items/items";
import * as blocks from "#db/queries/safety/blocks";
import * as reports from "#db/queries/safety/reports";
import { findSeatByName } from "#db/queries/sessions/participants";
import { maskKeys } from "~/domain/accounts/api-keys";
import { deletedName } from "~/domain/accounts/deleted";
import { beginningOf } from "~/domain/beginnings";
import { AppError } from "~/domain/errors";
import { guestRefused, isGuest, mayGuestReport } from "~/domain/guest-rights";
import { requireUser } from "~/domain/permissions";
import { isHandle } from "~/domain/room/aliases";
import { hiddenOf } from "~/domain/safety/blocks";
import * as safetyRefusals from "~/domain/safety/refusals";
import { aimTarget, lineOfTarget, type ReportTarget, seatOfTarget } from "~/domain/safety/report-targets";
import {
  REPORT_GONE,
  REPORT_OWN,
  REPORTED_TEXT_LIMIT,
  type Reported,
  type ReportReason,
} from "~/domain/safety/reports";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { requireHut } from "~/use-cases/huts/huts.server";
import { canSeeItem, itemView } from "~/use-cases/items/items.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { readPost } from "~/use-cases/sessions/posts.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { readMessage } from "../room/chat.server";
import { readSession, seatOfRow, sessionPath, shownOwner, shownRow } from "../sessions/read.server";

/** Reports that a guest may make (H-19). */
const MAX_GUEST_REPORTS = 3;

export type ReportDraft = ReportTarget & { reason: ReportReason; text?: string | undefined };

/** The target as the reporter sees it now. `author` is empty if the reporter may not know it. */
export type ShownTarget = ReportTarget & { author: string; text: string; path: string };
/** `ownName` is for the people who decide, where `author` is empty. */
type ReportedTarget = ShownTarget & { authorId: number; ownName?: string };

/**
 * A second report of the same target updates the first. NOT_FOUND for a target that the reporter may not see,
 * INVALID for the reporter's own, FORBIDDEN beyond the rights of a guest (H-19), RATE_LIMITED after 20 an hour.
 */
export async function report(app: App, input: ReportDraft): Promise<Reported> {
  const user = requireUser(app.user, safetyRefusals.signInToReport);
  await countUse(app, "report", user.id);
  if (isGuest(user) && !mayGuestReport(user, input)) throw guestRefused();
  const target = await findTarget(app, user, input);
  const newReport = {
    kind: target.kind,
    targetId: target.id,
    reporterId: user.id,
    reason: input.reason,
    text: maskKeys(input.text?.trim() ?? ""),
    authorId: target.authorId,
    authorName: target.ownName ?? target.author,
    snapshot: maskKeys(target.text),
    path: target.path,
    createdAt: app.now,
    updatedAt: app.now,
  };
  const [row] = await reports.upsertReport(app.db, newReport, isGuest(user) ? MAX_GUEST_REPORTS : null);
  if (!row) throw isGuest(user) ? guestRefused() : new AppError("SERVER_ERROR");
  const { kind, targetId, reason, text, createdAt, updatedAt } = row;
  return { kind, id: targetId, reason, text, createdAt, updatedAt, isNew: createdAt === updatedAt };
}

/** The thing to report, for the page of the form. */
export async function viewReportTarget(app: App, input: ReportTarget): Promise<ShownTarget> {
  const { kind, id, author, text, path } = await findTarget(app, requireUser(app.user), input);
  return { kind, id, author, text, path };
}

async function findTarget(app: App, user: CurrentUser, target: ReportTarget): Promise<ReportedTarget> {
  const reported = await readTarget(app, user, target).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  });
  if (!reported) throw new AppError("NOT_FOUND", REPORT_GONE);
  if (reported.authorId === user.id) throw new AppError("INVALID", REPORT_OWN);
  return { ...reported, text: beginningOf(reported.text, REPORTED_TEXT_LIMIT) };
}

const refuseMissing = (): never => {
  throw new AppError("NOT_FOUND", REPORT_GONE);
};

async function readTarget(app: App, user: CurrentUser, target: ReportTarget): Promise<ReportedTarget> {
  switch (target.kind) {
    case "message": {
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
    }
    case "post": {
      const { post, path } = await readPost(app, user, idOf(target));
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
    }
    case "item": {
      const [row] = await items.findItem(app.db, idOf(target), viewerOf(app));
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
    }
    case "person": {
      const [person] = await blocks.findPersonByName(app.db, target.id);
      if (!person || person.username === deletedName(person.userId)) return refuseMissing();
      const { username, title, userId } = person;
      return {
        kind: "person",
        id: username,
        authorId: userId,
        author: username,
        text: textOf(title),
        path: `/${username}`,
      };
    }
    case "session": {
      const isId = /^\d+$/.test(target.id);
      const row = await readSession(app, isId ? { session: idOf(target) } : { slug: target.id });
      const { content } = shownRow(app, row, null, new Map());
      return {
        kind: "session",
        id: String(row.id),
        authorId: row.ownerId,
        author: shownOwner(app, row),
        ownName: row.ownerName,
        text: textOf(row.title, content),
        path: sessionPath(row.id),
      };
    }
    case "hut": {
      const slug = /^\d+$/.test(target.id)
        ? (await huts.findHutSlug(app.db, Number(target.id)))[0]?.slug
        : target.id;
      const hut = await requireHut(app, slug ?? "");
      const [owner] = await huts.findOwnerName(app.db, hut.id);
      return {
        kind: "hut",
        id: hut.slug,
        authorId: hut.ownerId,
        author: owner?.username ?? "",
        text: textOf(hut.title, hut.content),
        path: `/group/${hut.slug}`,
      };
    }
    case "aim": {
      const { session, username } = seatOfTarget(target.id) ?? refuseMissing();
      const row = await readSession(app, { session });
      if (seatOfRow(row) === null) refuseMissing();
      const [seat] = isHandle(username) ? [] : await findSeatByName(app.db, session, username);
      if (!seat || seat.aim === "" || hiddenOf(row.hidden).ids.has(seat.userId)) return refuseMissing();
      return {
        ...aimTarget(session, seat.username),
        authorId: seat.userId,
        author: seat.username,
        text: seat.aim,
        path: sessionPath(session),
      };
    }
    default:
      return target.kind satisfies never;
  }
}

const idOf = ({ id }: ReportTarget): number => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : refuseMissing());
const textOf = (...texts: string[]): string => texts.filter((text) => text !== "").join("\n\n");
