// Stopping a kind of email with one press, without a login (N-30, N-31). The link is an HMAC under DATA_KEY.
import { switchOff } from "#db/queries/notices/notices";
import { AppError } from "~/domain/errors";
import { kindsToStop, labelOfMails, type MailedKind } from "~/domain/notices/unsubscribe";
import type { App } from "~/use-cases/app.server";
import { countAttempts } from "~/use-cases/rate-limits.server";

const signedTextOf = (userId: number, kind: string): string => `unsubscribe:${userId}:${kind}`;

/** The headers of RFC 8058 for emails of this kind; none for kinds that nobody can switch off. */
export async function unsubscribeHeaders(
  app: App,
  userId: number,
  kind: MailedKind,
): Promise<Record<string, string>> {
  if (!app.vault || kindsToStop(kind).length === 0) return {};
  const token = `${userId}.${kind}.${await app.vault.sign(signedTextOf(userId, kind))}`;
  return {
    "List-Unsubscribe": `<${app.settings.origin}/account/unsubscribe/${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

type TokenInput = { token: string };

/** NOT_FOUND for a forged token. */
async function readToken(app: App, { token }: TokenInput): Promise<{ userId: number; kind: MailedKind }> {
  const [, user = "", kind = "", signature = ""] =
    /^(\d{1,15})\.([a-z-]{1,40})\.([\w-]{43})$/.exec(token) ?? [];
  if (
    kindsToStop(kind).length === 0 ||
    !(await app.vault?.verify(signedTextOf(Number(user), kind), signature))
  )
    throw new AppError("NOT_FOUND");
  return { userId: Number(user), kind: kind as MailedKind };
}

/** Changes nothing: mail scanners open every link. */
export async function viewUnsubscribe(app: App, input: TokenInput): Promise<{ label: string }> {
  const { kind } = await readToken(app, input);
  return { label: labelOfMails(kind) };
}

/** Idempotent. It only ever switches mail off, so a stolen link does no further harm. */
export async function unsubscribe(app: App, input: TokenInput): Promise<{ label: string }> {
  const { userId, kind } = await readToken(app, input);
  await countAttempts(app, { what: "unsubscribe", by: userId });
  await switchOff(app.db, userId, kindsToStop(kind), "mail");
  return { label: labelOfMails(kind) };
}
