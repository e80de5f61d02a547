// The link "This wasn't me" in the email about a change of an account.
import { RESTORE_LINK_DAYS } from "~/domain/confirmation";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";

/** The row to insert and the link's URL. `app.now` is the time of the change, at which the link's life begins. */
export async function newRestore(app: Pick<App, "now" | "settings">, email: string) {
  const token = newToken();
  return {
    record: {
      tokenHash: await hashToken(token),
      kind: "restore" as const,
      email,
      createdAt: app.now,
      expiresAt: instant(app.now + RESTORE_LINK_DAYS * DAY),
    },
    url: `${app.settings.origin}/account/restore-email?token=${token}`,
  };
}
