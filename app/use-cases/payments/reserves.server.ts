// Names the reserves of a person who has too few tokens (B-13): the ledger refuses, and cannot say why.
import { listReserves } from "#db/queries/payments/reserves";
import { AppError, asAppError } from "~/domain/errors";
import { reserveSentence } from "~/domain/payments/reserves";
import type { App } from "~/use-cases/app.server";

/** The error to answer in place of `thrown`. */
export async function nameReserves(app: App, thrown: unknown): Promise<unknown> {
  const { user } = app;
  if (!user || user.reservedTokens === 0) return thrown;
  const { code, lacksTokens } = asAppError(thrown);
  if (code !== "INSUFFICIENT_TOKENS" || lacksTokens !== "you") return thrown;
  const reserves = await listReserves(app.db, user.id, app.now);
  return new AppError(code, reserveSentence(user.tokens, reserves), { lacksTokens: "reserve" });
}
