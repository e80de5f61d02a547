// The device cookie: strangers who guess at an account do not slow down a browser that has signed in to it before
// (docs/decisions/0024). It also keeps a guest's browser out (docs/decisions/0111).
import * as devices from "#db/queries/accounts/devices";
import { carryGuestBans } from "#db/queries/safety/guest-bans";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";

/** A device without a sign-in for this long is deleted. */
const DEVICE_LIFE = 180 * DAY;

/** The hash of this browser's cookie; "" without one, which matches no row. */
export async function deviceHashOf(app: App): Promise<string> {
  // Anything but a token of ours needs no lookup.
  return app.deviceToken && /^[\w-]{43}$/.test(app.deviceToken) ? hashToken(app.deviceToken) : "";
}

/** The key that counts this browser's attempts at a known account, or null if it never signed in there. */
export async function findKnownDevice(app: App, email: string): Promise<string | null> {
  const tokenHash = await deviceHashOf(app);
  if (tokenHash === "") return null;
  const [device] = await devices.findDevice(app.db, email, tokenHash, app.now);
  return device ? `${device.userId}:${tokenHash}` : null;
}

/** The hashes of the login cookie and the device cookie, by which a browser may be kept out (H-24). */
export async function cookieHashesOf(app: App): Promise<string[]> {
  const login = app.user?.loginHash ?? (app.staleLogin ? await hashToken(app.staleLogin) : "");
  return [login, await deviceHashOf(app)].filter((hash) => hash !== "");
}

/** Three statements for the sign-in batch, and the cookie for its answer. */
export async function rememberDevice(app: App, email: string, loginHash: string) {
  const token = newToken();
  const expiresAt = instant(app.now + DEVICE_LIFE);
  const tokenHash = await hashToken(token);
  return {
    statements: [
      devices.renewDevice(app.db, await deviceHashOf(app), tokenHash),
      // A browser that is kept out stays so by its new cookie.
      carryGuestBans(app.db, await cookieHashesOf(app), tokenHash),
      devices.upsertDevice(app.db, email, { tokenHash, loginHash, expiresAt }),
    ] as const,
    cookie: { token, expiresAt },
  };
}

/**
 * For a browser that loses its login cookie: the statement that makes its bans name the device cookie, and that cookie,
 * which is a new one if it had none.
 */
export async function keepBans(app: App) {
  const known = await deviceHashOf(app);
  const token = known !== "" && app.deviceToken ? app.deviceToken : newToken();
  const expiresAt = instant(app.now + DEVICE_LIFE);
  const tokenHash = known || (await hashToken(token));
  return {
    statement: carryGuestBans(app.db, await cookieHashesOf(app), tokenHash),
    device: { tokenHash, expiresAt },
    setCookie() {
      app.cookies.device = { token, expiresAt };
      // A login that follows in this request renews this cookie.
      app.deviceToken = token;
    },
  };
}
