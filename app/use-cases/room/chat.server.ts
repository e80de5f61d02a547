// A chat message by call (C-85). The room stores and charges chat (B-13) and checks permissions; the socket uses
// the same method.
import * as sessions from "#db/queries/sessions/sessions";
import { AppError, isAppError } from "~/domain/errors";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { RoomChange, RoomView } from "~/domain/room/room";
import { hiddenOf } from "~/domain/safety/blocks";
import { type AuthoredMessage, type RoomMessage, withoutAuthor } from "~/domain/sessions/chat";
import type { App } from "~/use-cases/app.server";
import { requireHostScope } from "~/use-cases/goal-keys.server";
import { countUse } from "~/use-cases/rate-limits.server";
import {
  actorOf,
  changeRoom,
  noSession,
  readSession,
  requireLetIn,
  requireRoom,
  seatOfRow,
} from "~/use-cases/sessions/read.server";
import { viewerOf } from "~/use-cases/viewer.server";

/** The lines of one read, while a repeat looks for its first line. */
const LINES_PER_READ = 500;

export type MessageDraft = {
  session: number;
  content: string;
  /** The nonce of this message, so that a repeat is sent once. */
  nonce?: string | undefined;
  clientUuid?: string | undefined;
};
export type PostedMessage = { message: RoomMessage; session: number; clientUuid: string | null };

export async function createMessage(app: App, input: MessageDraft): Promise<PostedMessage> {
  const user = requireUser(app.user, refusals.signInToPost);
  await countUse(app, "chat", user.id);
  const nonce = (input.nonce ?? app.newId()).slice(0, 100);
  const { messages } = await say(app, input, nonce);
  const message = await findLine(app, input.session, { userId: user.id, nonce, messages });
  return { message: withoutAuthor(message), session: input.session, clientUuid: input.clientUuid ?? null };
}

/** The line with this nonce: among the newest `messages`, or for a repeat among all that the room still knows. */
async function findLine(
  app: App,
  session: number,
  { userId, nonce, messages }: { userId: number; nonce: string; messages: readonly AuthoredMessage[] },
): Promise<AuthoredMessage> {
  for (let lines = messages; lines.length > 0; ) {
    const line = lines.findLast((candidate) => candidate.nonce === nonce && candidate.userId === userId);
    if (line) return line;
    lines = await app.rooms.of(session).messages({ before: lines[0]?.seq ?? 0, limit: LINES_PER_READ });
  }
  throw new AppError("SERVER_ERROR");
}

/** Shows a line on all screens until the part ends (J-12). The room checks the permission. */
export async function showLine(
  app: App,
  { session, content, uuid }: { session: number; content: string; uuid?: string | undefined },
): Promise<{ content: string }> {
  const user = requireUser(app.user);
  const nonce = uuid ?? app.newId();
  await sendLineChange(app, session, { type: "show-line", content, nonce, by: actorOf(user) });
  return { content };
}

/** Removes the line from all screens; it stays in the chat. Idempotent. */
export const clearLine = (app: App, { session }: { session: number }): Promise<void> =>
  sendLineChange(app, session, { type: "clear-line", by: actorOf(requireUser(app.user)) });

type LineRef = { session: number; seq: number };

/** A line that the user may read, with its author; null for none, and for a removed one. */
export async function readMessage(app: App, { session, seq }: LineRef): Promise<AuthoredMessage | null> {
  const row = await readSession(app, { session });
  if (seatOfRow(row) === null && !isSuperAdmin(app.user)) return null;
  const message = await findMessage(app, { session, seq });
  return message && !message.isRemoved && !hiddenOf(row.hidden).ids.has(message.userId) ? message : null;
}

async function findMessage(app: App, { session, seq }: LineRef): Promise<AuthoredMessage | undefined> {
  const [message] = await app.rooms.of(session).messages({ before: seq + 1, limit: 1 });
  return message?.seq === seq ? message : undefined;
}

/** Edits a line, by its author for 5 minutes, also after the session's end. The room checks the permission. */
export async function editMessage(
  app: App,
  input: LineRef & { content: string },
): Promise<{ message: RoomMessage; session: number }> {
  const { session, seq, content } = input;
  await changeLine(app, session, { type: "edit-line", line: seq, content });
  const message = await findMessage(app, { session, seq });
  if (!message) throw new AppError("SERVER_ERROR");
  return { message: withoutAuthor(message), session };
}

/** Removes a line, by its author, the host, admins and super admins. Idempotent. */
export const removeMessage = (
  app: App,
  { session, seq, reason }: LineRef & { reason?: string | undefined },
): Promise<void> =>
  changeLine(app, session, { type: "remove-line", line: seq, ...(reason === undefined ? {} : { reason }) });

type LineEdit =
  | { type: "edit-line"; line: number; content: string }
  | { type: "remove-line"; line: number; reason?: string };

const changeLine = (app: App, session: number, edit: LineEdit): Promise<void> =>
  sendLineChange(app, session, { ...edit, by: actorOf(requireUser(app.user)) });

type LineChange = Extract<RoomChange, { type: "show-line" | "clear-line" | "edit-line" | "remove-line" }>;

async function sendLineChange(app: App, session: number, change: LineChange): Promise<void> {
  await countUse(app, "chat", change.by.userId);
  await requireLetIn(app, session);
  if (change.type === "remove-line" && app.key) {
    const line = await findMessage(app, { session, seq: change.line });
    if (line && line.userId !== change.by.userId) requireHostScope(app);
  }
  await app.rooms.of(session).change(change);
}

/** Sends the message to the room. The record is read only if the room does not know the author. */
async function say(app: App, input: MessageDraft, nonce: string): Promise<RoomView> {
  const user = requireUser(app.user);
  const { content, clientUuid } = input;
  const change = {
    type: "say" as const,
    by: actorOf(user),
    content,
    nonce,
    ...(clientUuid === undefined ? {} : { clientUuid }),
  };
  await requireRoom(app, input.session);
  try {
    return await app.rooms.of(input.session).change(change);
  } catch (error) {
    if (!isAppError(error) || error.code !== "FORBIDDEN") throw error;
    const [row] = await sessions.findSession(app.db, input.session, viewerOf(app));
    if (!row) throw noSession();
    if (row.seatName === null) throw error;
    return changeRoom(app, row, change);
  }
}
