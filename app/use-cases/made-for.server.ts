// The mark of the login and person that a page was made for. A write under another login or person is refused.
import { createHash } from "node:crypto";
import { AppError } from "~/domain/errors";
import type { CurrentUser } from "./app.server";

/** Null for a visitor. It reveals neither the login nor the person. */
export const markOf = (user: CurrentUser | null): string | null =>
  user && createHash("sha256").update(`${user.loginHash} ${user.personId}`).digest("base64url").slice(0, 22);

/** CONFLICT if the page was made for others than `user`. A page without a mark may write, and so may a visitor. */
export function requireMadeFor(user: CurrentUser | null, mark: string | null | undefined): void {
  if (!mark || !user || mark === markOf(user)) return;
  throw new AppError("CONFLICT", `You are signed in as ${user.username} now.`);
}
