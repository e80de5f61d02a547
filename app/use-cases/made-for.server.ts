// The mark of the login and person that a page was made for. A write under another login or person is refused.
import { createHash } from "node:crypto";
import { AppError } from "~/domain/errors";
import * as refusals from "~/domain/refusals";
import type { CurrentUser } from "./app.server";

const SEPARATOR = ".";
const shortHash = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, length);
const loginMarkOf = ({ loginHash, personId }: CurrentUser): string =>
  shortHash(`${loginHash} ${personId}`, 22);
const personMarkOf = ({ email, personId }: CurrentUser): string =>
  shortHash(`person ${email} ${personId}`, 16);

/**
 * The mark of a page made for `user`; null for a visitor. It reveals neither the login nor the person. Its second half is
 * the same in every login of the person, so that an act may wait for a sign-in.
 */
export const markOf = (user: CurrentUser | null): string | null =>
  user && loginMarkOf(user) + SEPARATOR + personMarkOf(user);

/** CONFLICT if the page was made for others than `user`. A page without a mark may write, and so may a visitor. */
export function requireMadeFor(user: CurrentUser | null, mark: string | null | undefined): void {
  if (!mark || !user || mark.split(SEPARATOR)[0] === loginMarkOf(user)) return;
  throw new AppError("CONFLICT", refusals.signedInAs(user.username));
}

/** True if a page with this mark was made for the person of `user`, in whatever login; null is a visitor's mark. */
export const isMadeForPerson = (user: CurrentUser | null, mark: string | null): boolean =>
  mark === null || (user !== null && mark.split(SEPARATOR)[1] === personMarkOf(user));

/** The uuid that the server rendered behind the mark of a form; null without one. */
export const uuidOfForm = (mark: string | null): string | null => mark?.split(SEPARATOR)[2] ?? null;
