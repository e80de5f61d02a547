// The device cookie: a browser that has signed in to an account before is not slowed down by strangers who guess at it
// (docs/decisions/0024).
import * as devices from "#db/queries/devices";
import { DAY, instant } from "~/domain/time";
import type { App } from "./app.server";
import { hashToken, newToken } from "./logins.server";

/** A browser is forgotten when it has not signed in for so long. */
const DEVICE_LIFE = 180 * DAY;

/** The hash of this browser's cookie; "" without one, which no row has. */
export async function deviceHashOf(app: App): Promise<string> {
  // A token of ours: anything else is not worth a look into the database.
  return app.deviceToken && /^[\w-]{43}$/.test(app.deviceToken) ? hashToken(app.deviceToken) : "";
}

/** What counts this browser's tries at an account it knows, or null when it never signed in there. */
export async function findKnownDevice(app: App, email: string): Promise<string | null> {
  const tokenHash = await deviceHashOf(app);
  if (tokenHash === "") return null;
  const [known] = await devices.findDevice(app.db, email, tokenHash, app.now);
  return known ? `${known.userId}:${tokenHash}` : null;
}

/** Two statements for the batch that signs in, and the cookie for its answer. */
export async function rememberDevice(app: App, email: string, loginHash: string) {
  const token = newToken();
  const expiresAt = instant(app.now + DEVICE_LIFE);
  const tokenHash = await hashToken(token);
  return {
    statements: [
      devices.renewDevice(app.db, await deviceHashOf(app), tokenHash),
      devices.upsertDevice(app.db, email, { tokenHash, loginHash, expiresAt }),
    ] as const,
    cookie: { token, expiresAt },
  };
}
