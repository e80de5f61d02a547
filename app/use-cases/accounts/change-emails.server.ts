// Emails about a change of an account, through the outbox (N-34): their causes and their texts.
import { insertRestoreLink } from "#db/queries/accounts/confirmations";
import { deletionDueAt } from "~/domain/accounts/deletion";
import { RESTORE_LINK_DAYS } from "~/domain/confirmation";
import { formatDay, type TimeReader } from "~/domain/days";
import type { AccountChange, AccountChanged } from "~/domain/notices/events";
import { suspendedSentence } from "~/domain/safety/sanctions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import {
  addressRestoredEmail,
  calendarAddressEmail,
  deletionAskedEmail,
  passwordChangedEmail,
  signInChangedEmail,
  suspensionEmail,
} from "~/use-cases/notices/emails.server";
import { newEvent } from "~/use-cases/notices/events.server";
import type { Email } from "~/use-cases/ports.server";
import { newRestore } from "./restore-link.server";

/**
 * The cause of such an email. It names no actor, because actors get no notice of their own acts, and an attacker may have
 * acted in the owner's name.
 */
export const accountChangeCause = (
  app: Pick<App, "now">,
  change: AccountChange,
  sentence = "",
  until?: Instant | null,
) =>
  newEvent(
    { now: app.now, user: null },
    {
      kind: "account-changed",
      subject: `account:${change}`,
      body: { what: change, sentence, changedAt: app.now, ...(until === undefined ? {} : { until }) },
    },
  );

type Owner = TimeReader & { id: number; email: string; username: string };

/** Writes the email, with days in the owner's time zone (F-26). It goes to the address before the change, because a thief may have replaced it since. */
export async function accountEmail(app: App, owner: Owner, body: object): Promise<Email> {
  const { what, sentence, email = owner.email, changedAt = app.now, until } = body as AccountChanged;
  const { appName, origin } = app.settings;
  const facts = { to: email, appName, username: owner.username };
  const dayOf = (at: Instant) => formatDay(at, owner.timeZone, owner.locale);
  const link = () => newRestoreLink(app, owner.id, email, changedAt);
  switch (what) {
    case "password":
      return passwordChangedEmail({ ...facts, url: `${origin}/forgot-password` });
    case "sign-in":
      return signInChangedEmail({ ...facts, what: sentence, ...(await link()) });
    case "calendar":
      return calendarAddressEmail({ ...facts, what: sentence, ...(await link()) });
    case "deletion":
      return deletionAskedEmail({
        ...facts,
        day: dayOf(deletionDueAt(changedAt)),
        url: `${origin}/auth/login?next=/account`,
      });
    case "suspension":
      return suspensionEmail({
        ...facts,
        // An email that waits since an earlier release has the whole sentence, and no end.
        sentence:
          until === undefined
            ? sentence
            : suspendedSentence({ until, reason: sentence }, until === null ? "" : dayOf(until)),
      });
    case "address":
      return addressRestoredEmail(facts);
    default:
      return what satisfies never;
  }
}

/** Made when the email is sent, so that no row holds the secret of a link. */
async function newRestoreLink(app: App, userId: number, email: string, changedAt: Instant) {
  const { record, url } = await newRestore({ ...app, now: changedAt }, email);
  await insertRestoreLink(app.db, { ...record, userId });
  return { url, days: RESTORE_LINK_DAYS };
}
