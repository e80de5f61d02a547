// Checks the current password before actions that a stolen login must not perform.
import * as accounts from "#db/queries/accounts/accounts";
import { NOT_CURRENT_PASSWORD } from "~/domain/accounts/rules";
import { AppError, invalid } from "~/domain/errors";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { countAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { passwords } from "./password-hashes.server";

/** INVALID at `currentPassword` unless it is right; RATE_LIMITED before hashing. Returns the account's name. */
export async function requirePassword(
  app: App,
  user: CurrentUser,
  password: string,
): Promise<{ username: string }> {
  // Keyed by login, so that a stolen login cannot block the owner from changing the password.
  await countAttempts(app, { what: "change-password", by: user.loginHash });
  const [credentials] = await accounts.findPasswordHash(app.db, user.id);
  const { isRight } = await passwords.verify(password, credentials?.passwordHash ?? null);
  if (!credentials) throw new AppError("UNAUTHENTICATED");
  if (!isRight) {
    logSecurity(app, { event: "current-password-refused", userId: user.id });
    throw invalid("currentPassword", NOT_CURRENT_PASSWORD);
  }
  return { username: credentials.username };
}
