// Pushes to the browsers of a user (N-37 to N-41).
import * as queries from "#db/queries/notices/push";
import { AppError, invalid } from "~/domain/errors";
import {
  INVALID_PUSH_KEY,
  isPushBox,
  isPushEndpoint,
  MAX_BROWSERS,
  pushPayload,
  pushTtlSeconds,
  SERVER_SENDS_NO_PUSH,
  UNKNOWN_PUSH_SERVICE,
} from "~/domain/notices/push";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import type { PushMessage } from "~/use-cases/ports.server";
import { countUse } from "~/use-cases/rate-limits.server";

export type PushView = {
  /** For the browser's subscription; null hides push, because this server sends none. */
  publicKey: string | null;
  /** This browser receives pushes. */
  isOn: boolean;
  /** The origin whose push box a local run uses; null where browsers have a push service. */
  boxOrigin: string | null;
};

export async function viewPush(app: App): Promise<PushView> {
  const user = requireUser(app.user);
  const { isLocalRun, origin } = app.settings;
  if (!app.push) return { publicKey: null, isOn: false, boxOrigin: null };
  const [ownSubscription] = await queries.findSubscription(app.db, user.loginHash);
  return {
    publicKey: app.push.publicKey,
    isOn: ownSubscription !== undefined,
    boxOrigin: isLocalRun ? origin : null,
  };
}

export type SubscriptionInput = { endpoint: string; p256dh: string; auth: string };

/** CONFLICT without keys of our own; INVALID for an unknown push service or an invalid key (N-38). */
export async function addSubscription(app: App, input: SubscriptionInput): Promise<SubscriptionInput> {
  const user = requireUser(app.user);
  if (!app.push) throw new AppError("CONFLICT", SERVER_SENDS_NO_PUSH);
  const { isLocalRun, origin } = app.settings;
  if (!isPushEndpoint(input.endpoint) && !(isLocalRun && isPushBox(input.endpoint, origin)))
    throw invalid("endpoint", UNKNOWN_PUSH_SERVICE);
  await countUse(app, "change-push", user.id);
  if (!(await isBrowserKey(input.p256dh))) throw invalid("p256dh", INVALID_PUSH_KEY);
  const { id: userId, loginHash } = user;
  const row = { ...input, userId, loginHash, createdAt: app.now };
  await app.db.batch([...queries.storeSubscription(app.db, row, MAX_BROWSERS)]);
  return input;
}

/** Removes the subscription of this browser. Idempotent. */
export async function removeSubscription(app: App): Promise<void> {
  const user = requireUser(app.user);
  await queries.deleteSubscription(app.db, user.loginHash);
}

/** True for a point on the curve P-256. */
async function isBrowserKey(p256dh: string): Promise<boolean> {
  try {
    const bytes = Uint8Array.from(atob(p256dh.replace(/-/g, "+").replace(/_/g, "/")), (letter) =>
      letter.charCodeAt(0),
    );
    await crypto.subtle.importKey("raw", bytes, { name: "ECDH", namedCurve: "P-256" }, false, []);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sends to every browser of the user, and forgets those whose push service has ended them. Throws when a push service
 * asks for a later try (N-40): the repeat carries the same topic and key, and replaces what has arrived.
 */
export async function sendPush(app: App, message: PushMessage): Promise<void> {
  const { push } = app;
  if (!push) throw new Error("no VAPID keys");
  const { userId, key, title, text, url, series, press, expiresAt } = message;
  const browsers = await queries.listSubscriptions(app.db, userId);
  const request = {
    payload: pushPayload({ title, body: text, url, series, key, press }),
    ttl: pushTtlSeconds(app.now, expiresAt),
    key,
  };
  const results = await Promise.all(
    browsers.map(async (browser) => {
      const result = await push.post(browser, request);
      if (result === "gone") await queries.deleteEndpoint(app.db, browser.endpoint);
      return result;
    }),
  );
  if (results.includes("later")) throw new Error("a push service asks for a later try");
}
