// A message from the host or an admin to all participants, as a notice in the app and on their channels (N-27).
import { runBatch } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { requireConfirmed } from "~/domain/confirmation";
import { AppError, invalid } from "~/domain/errors";
import { HOST_MESSAGE_LENGTH, subjectOf } from "~/domain/notices/events";
import { allow, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { HostMessage } from "~/domain/sessions/view";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { withIdempotencyKey } from "~/use-cases/idempotency.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { hashToken } from "~/use-cases/tokens.server";
import { requireMayWrite, sessionPlace } from "~/use-cases/writing.server";
import { mayRun, readSession, sessionPath } from "./read.server";

type HostMessageDraft = {
  session: number;
  content: string;
  /** Created with the form, so that a repeat sends once. */
  uuid?: string | undefined;
};

/** The trimmed text. INVALID at `content` if it is empty or too long. */
function readText(text: string): string {
  const content = text.trim();
  if (content === "") throw invalid("content", sessionRefusals.noMessage);
  if (content.length > HOST_MESSAGE_LENGTH) throw invalid("content", refusals.useAtMost(HOST_MESSAGE_LENGTH));
  return content;
}

/**
 * FORBIDDEN without a confirmed address, CONFLICT after the session. RATE_LIMITED from the sixth message in 24
 * hours on.
 */
export async function notifyParticipants(
  app: App,
  input: HostMessageDraft,
): Promise<{ message: HostMessage }> {
  const user = requireUser(app.user);
  const { session, uuid } = input;
  if (uuid === undefined) return send(app, user, input);
  const bodyHash = await hashToken(readText(input.content));
  const request = { userId: user.id, key: `form:${uuid}`, call: `notify:${session}`, bodyHash };
  const storedAnswer = { status: 201, body: "" };
  const sendOnce = async (keyed: App) => {
    await send(keyed, user, input);
    return storedAnswer;
  };
  // A repeat must not count against the messages of a day.
  await withIdempotencyKey(app, request, sendOnce, async () => storedAnswer, { asksFirst: true });
  return readSentMessage(app, input);
}

async function send(app: App, user: CurrentUser, input: HostMessageDraft): Promise<{ message: HostMessage }> {
  const row = await readSession(app, { session: input.session });
  allow(mayRun(app, row), refusals.hostAndAdminsOnly);
  requireMayWrite(app, sessionPlace(row, true));
  requireConfirmed(user);
  const content = readText(input.content);
  if (row.closedAt !== null || statusAt(row, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  await countUse(app, "notify", row.id);
  const cause = newEvent(app, {
    kind: "host-message",
    subject: subjectOf("session", row.id),
    body: {
      name: row.seatName ?? user.username,
      by: user.id,
      title: row.title,
      path: sessionPath(row.id),
      seat: row.id,
      content,
    },
  });
  await runBatch(app.db, [recordEvent(app.db, cause)]);
  wakeEvents(app, [cause]);
  return { message: { content } };
}

/** The answer to a repeat of a message that was sent. */
export const readSentMessage = async (
  _: App,
  { content }: HostMessageDraft,
): Promise<{ message: HostMessage }> => ({
  message: { content: readText(content) },
});
