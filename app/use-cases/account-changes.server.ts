// Emails about a change of an account, through the outbox (N-34): their causes and their texts.
import type { AccountChange, AccountChanged } from "~/domain/notices";
import type { App } from "./app.server";
import {
  addressRestoredEmail,
  deletionAskedEmail,
  passwordChangedEmail,
  signInChangedEmail,
  suspensionEmail,
} from "./emails.server";
import { newEvent } from "./events.server";
import type { Email } from "./ports.server";

/** The cause. Its owner acts too, or an attacker in the owner's name, so nobody is left out as the actor. */
export const accountChange = (app: Pick<App, "now">, what: AccountChange, sentence = "") =>
  newEvent(
    { now: app.now, user: null },
    { kind: "account-changed", subject: `account:${what}`, body: { what, sentence } },
  );

/** To the address before the change: a thief may have replaced it since. */
export function accountEmail(app: App, owner: { email: string; username: string }, body: object): Email {
  const { what, sentence, email = owner.email } = body as AccountChanged;
  const { appName, origin } = app.settings;
  const facts = { to: email, appName, username: owner.username };
  switch (what) {
    case "password":
      return passwordChangedEmail({ ...facts, url: `${origin}/forgot-password` });
    case "sign-in":
      return signInChangedEmail({ ...facts, what: sentence, url: `${origin}/account/security` });
    case "deletion":
      return deletionAskedEmail({ ...facts, day: sentence, url: `${origin}/auth/login?next=/account` });
    case "suspension":
      return suspensionEmail({ ...facts, sentence });
    case "address":
      return addressRestoredEmail(facts);
    default:
      return what satisfies never;
  }
}
