// The texts of a session: content, prompt, contributions, and their summary (C-65 to C-69, A-06 to A-08, L-12). During
// the run they belong to the room, which checks turns; before it to the record.

import { runBatch } from "#db/connect.server";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { AppError, invalid } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { NOT_JOINED } from "~/domain/room/room";
import { SESSION_LIMITS, SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { Contribution } from "~/domain/sessions/texts";
import { withContributions } from "~/domain/sessions/texts";
import type { App } from "~/use-cases/app.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import type { RenderedText } from "~/use-cases/ports.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { insertOverseen, recordOverseen } from "~/use-cases/super-admin-acts.server";
import { requireMayWrite, sessionPlace } from "~/use-cases/writing.server";
import { writePlan } from "./plan-writes.server";
import {
  actorOf,
  changeRoom,
  liveRow,
  mayRun,
  overseenBy,
  readSession,
  type SessionRef,
  seatOfRow,
  viewRoom,
} from "./read.server";

const MAX_ATTEMPTS = 8;
const MAX_CONTRIBUTION_CHARS = 20_000;

export type Texts = { title: string; content: string; contentHtml: string; summary: string; prompt: string };
type RoomTexts = Texts & { contributions: readonly Contribution[] };
/** The texts as calls answer them, with the contributions at the end of the content. */
const textsOf = (texts: RoomTexts): Texts => ({
  title: texts.title,
  ...withContributions(texts),
  summary: texts.summary,
  prompt: texts.prompt,
});

/** A partial update of title, the host's own content, prompt (C-68, A-06, A-07). */
export async function saveContent(
  app: App,
  input: SessionRef & {
    title?: string | undefined;
    content?: string | undefined;
    prompt?: string | undefined;
  },
): Promise<Texts> {
  const user = requireUser(app.user);
  await countUse(app, "change-session-text", user.id);
  const actor = actorOf(user);
  const { title, content, prompt } = input;
  if (title?.trim() === "") throw invalid("title", SESSION_SENTENCES.noTitle);
  let text: RenderedText | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await readSession(app, input);
    allow(mayRun(app, row), sessionRefusals.hostAndAdminsEdit);
    requireMayWrite(app, sessionPlace(row, true));
    if (content !== undefined) text ??= await app.richText.render(content);
    if (statusAt(row, app.now) === SESSION_STATUS.waiting) {
      const changes = {
        ...text,
        ...(title === undefined ? {} : { title: title.trim() }),
        ...(prompt === undefined ? {} : { prompt }),
      };
      const previous = changes.title === undefined || changes.title === row.title ? "" : row.title;
      const changedRow = await writePlan(app, row, changes, {
        after: recordOverseen(app, overseenBy(app, row, "texts-changed", { previous })),
      });
      if (!changedRow) continue;
      notifyRoom(app, row.id);
      return textsOf(changedRow);
    }
    const change = {
      type: "edit" as const,
      by: actor,
      ...(text ? { content: text.content, contentHtml: text.contentHtml } : {}),
      ...(title === undefined ? {} : { title: title.trim() }),
      ...(prompt === undefined ? {} : { prompt }),
    };
    return textsOf((await changeRoom(app, row, change)).state);
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}

/**
 * Adds the turn holder's contribution, under their name, to the end of the content (C-69, A-08, R-66). A repeat with the
 * same uuid and text adds nothing.
 */
export async function contributeContent(
  app: App,
  input: SessionRef & {
    contribution: string;
    uuid?: string | undefined;
    /** The contribution also ends the speaker's turn. */
    isPassing?: boolean | undefined;
  },
): Promise<{ appended: string; appendedHtml: string; texts: Texts }> {
  const user = requireUser(app.user);
  const contribution = input.contribution.trim();
  if (contribution === "") throw invalid("contribution", sessionRefusals.noContribution);
  if (contribution.length > MAX_CONTRIBUTION_CHARS)
    throw invalid("contribution", refusals.writeAtMost(MAX_CONTRIBUTION_CHARS));
  await countUse(app, "contribute", user.id);
  const row = await readSession(app, input);
  requireMayWrite(app, sessionPlace(row), NOT_JOINED);
  const text = await app.richText.render(contribution);
  if (text.content === "") throw invalid("contribution", sessionRefusals.noContribution);
  const view = await changeRoom(app, row, {
    type: "contribute",
    by: actorOf(user),
    contribution: text.content,
    contributionHtml: text.contentHtml,
    uuid: input.uuid ?? app.newId(),
    isPassing: input.isPassing ?? false,
  });
  return { appended: text.content, appendedHtml: text.contentHtml, texts: textsOf(view.state) };
}

// ---- the summary

/** Reads the session for its summary. FORBIDDEN except for participants and super admins. */
async function readForSummary(app: App, ref: SessionRef): Promise<SessionRow> {
  const user = requireUser(app.user);
  const row = await readSession(app, ref);
  if (!seatOfRow(row) && !isSuperAdmin(user)) throw new AppError("FORBIDDEN", NOT_JOINED);
  return row;
}

const countSummary = (app: App) => countUse(app, "summary", app.user?.id ?? 0);

/** A new summary of title and content (C-65). */
export async function makeSummary(app: App, input: SessionRef): Promise<{ summary: string }> {
  const row = await readForSummary(app, input);
  await countSummary(app);
  const { title, content } = textsOf(liveRow(row, await viewRoom(app, row.id)));
  const summary = (await app.summariser.summarise({ title, content })).trim();
  await storeSummary(app, row, summary);
  return { summary };
}

/** The latest summary (C-66). */
export async function pollSummary(app: App, input: SessionRef): Promise<{ summary: string }> {
  const row = await readForSummary(app, input);
  return { summary: liveRow(row, await viewRoom(app, row.id)).summary };
}

/** The pieces of a new summary as they are generated (C-67); stored once complete. */
export async function streamSummary(app: App, input: SessionRef): Promise<AsyncIterable<string>> {
  const row = await readForSummary(app, input);
  await countSummary(app);
  const { title, content } = textsOf(liveRow(row, await viewRoom(app, row.id)));
  return pieces();

  async function* pieces() {
    let whole = "";
    for await (const piece of app.summariser.stream({ title, content })) {
      whole += piece;
      yield piece;
    }
    await storeSummary(app, row, whole.trim());
  }
}

/**
 * Stores a summary: in the room of a running session, which broadcasts it, otherwise in the record. One beyond the
 * limit is dropped.
 */
async function storeSummary(app: App, row: SessionRow, summary: string): Promise<void> {
  if (summary.length > SESSION_LIMITS.content) return;
  const act = { ...overseenBy(app, row, "texts-changed"), isOwnRight: seatOfRow(row) !== null };
  if (statusAt(row, app.now) === SESSION_STATUS.running) {
    await runBatch(app.db, insertOverseen(app, act));
    await app.rooms.of(row.id).change({ type: "set-summary", summary });
    return;
  }
  await runBatch(app.db, [
    sessionWrites.updateDetails(app.db, row.id, { summary }),
    ...recordOverseen(app, act),
  ]);
  notifyRoom(app, row.id);
}
