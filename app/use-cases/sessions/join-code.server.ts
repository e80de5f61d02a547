// The code of a session, for joining and waiting (S-03, G-18).
import type { SessionRow } from "#db/queries/sessions/sessions";
import { AppError, isAppError } from "~/domain/errors";
import { isRightCode } from "~/domain/sessions/join-code";
import * as sessionRefusals from "~/domain/sessions/refusals";
import type { App } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { type Attempt, countAttempts, giveBackAttempts } from "~/use-cases/rate-limits.server";

/**
 * WRONG_CODE for another code and for none, RATE_LIMITED before a code is compared. A right code is not counted, so a
 * join link never is. The `id` of a series has a prefix.
 */
export async function requireCode(
  app: App,
  row: Pick<SessionRow, "joinCode"> & { id: number | string },
  code: string | undefined,
): Promise<void> {
  if (row.joinCode === "") return;
  if (!code?.trim()) throw wrongCode(sessionRefusals.noCode);
  const guessAttempts = await countGuess(app, row.id);
  if (!isRightCode(row, code)) throw wrongCode(sessionRefusals.wrongCode);
  app.defer(giveBackAttempts(app, ...guessAttempts));
}

const wrongCode = (sentence: string) =>
  new AppError("WRONG_CODE", undefined, { fields: { joinCode: [sentence] } });

async function countGuess(app: App, session: number | string): Promise<Attempt[]> {
  // A guest has no account, so the network counts.
  const id = app.user?.id ?? "guest";
  const ownAttempt: Attempt = { what: "join-code", by: `${session}:${id}:${networkOf(app)}` };
  const everywhere: Attempt = { what: "join-code-everywhere", by: session };
  const late: Attempt = { what: "join-code-late", by: `${session}:${app.user ? id : networkOf(app)}` };
  await countAttempts(app, ownAttempt);
  try {
    await countAttempts(app, everywhere);
    return [ownAttempt, everywhere];
  } catch (error) {
    if (!isAppError(error) || error.code !== "RATE_LIMITED") throw error;
  }
  try {
    await countAttempts(app, late);
    return [ownAttempt, late];
  } catch (error) {
    await giveBackAttempts(app, ownAttempt);
    throw error;
  }
}
