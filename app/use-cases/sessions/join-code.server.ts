// The code of a session, for joining and waiting (S-03, G-18).
import type { SessionRow } from "#db/queries/sessions";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { isRightCode } from "~/domain/sessions";
import { HOUR, SECOND } from "~/domain/time";
import type { App } from "~/use-cases/app.server";

const WRONG_CODES_PER_HOUR = 20;

/** WRONG_CODE for another code and for none. Also for the code of a series, whose `id` has a prefix. */
export async function requireCode(
  app: App,
  row: Pick<SessionRow, "joinCode"> & { id: number | string },
  code: string | undefined,
): Promise<void> {
  if (isRightCode(row, code)) return;
  const user = requireUser(app.user);
  if (code) await app.attempts.take(`code:${row.id}:${user.id}`, WRONG_CODES_PER_HOUR, HOUR / SECOND);
  throw new AppError("WRONG_CODE", undefined, {
    fields: { joinCode: [code ? "That code does not open this session." : "Please enter the code."] },
  });
}
