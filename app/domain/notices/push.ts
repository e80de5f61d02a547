// Pushes to browsers: the accepted addresses, and the payload (N-37 to N-40). Pure; browsers load this file.
import { beginningOf } from "~/domain/beginnings";
import type { PushButtons } from "~/domain/goals/reminder-buttons";
import type { Instant } from "~/domain/time";

export const MAX_BROWSERS = 10;
export const SERVER_SENDS_NO_PUSH = "This server sends no notifications to browsers.";
export const UNKNOWN_PUSH_SERVICE = "This is not the address of a known push service.";
export const INVALID_PUSH_KEY = "This is not the key of a browser.";
export const PUSH_TURNED_ON = "Notifications are on in this browser.";
export const PUSH_TURNED_OFF = "Notifications are off in this browser.";

/** The hosts of Chrome and Edge on Android, Firefox, Edge on Windows, and Safari. A dot allows subdomains. */
const PUSH_HOSTS = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  ".push.services.mozilla.com",
  ".notify.windows.com",
  ".push.apple.com",
];
/** The path of the push box, at the origin of a local run. */
const PUSH_BOX = "/local/push/";

export const isPushBox = (endpoint: string, origin: string): boolean =>
  endpoint.startsWith(origin + PUSH_BOX);
export const pushBoxEndpoint = (origin: string, id: string): string => `${origin}${PUSH_BOX}${id}`;

/** True for an https address of a known push service, without user or port (N-38). */
export function isPushEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  return (
    protocol === "https:" &&
    `${port}${username}${password}` === "" &&
    PUSH_HOSTS.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host))
  );
}

const PAYLOAD_BYTES = 3000;
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The fields that the service worker reads. `series` is the address of all dates (H-11). `key` names the delivery, so that a
 * repeat replaces the notification.
 */
export type PushPayload = {
  title: string;
  body: string;
  url: string;
  series: string | null;
  key: string;
  press?: PushButtons;
};

/** JSON of at most 3,000 bytes (N-39); the body is shortened to fit. */
export function pushPayload({ title, body, url, series, key, press }: PushPayload): string {
  const payloadText = (length: number) =>
    JSON.stringify({
      title: beginningOf(title, 200),
      body: length < body.length ? `${beginningOf(body, length)}…` : body,
      url,
      ...(series === null ? {} : { series }),
      key,
      ...(press === undefined ? {} : { press }),
    });
  let length = body.length;
  while (length > 0 && bytesOf(payloadText(length)) > PAYLOAD_BYTES) length = Math.floor(length * 0.9);
  return payloadText(length);
}

const DAY_SECONDS = 86_400;

/** Seconds that a push service keeps the push: until `expiresAt`, a day at most and by default (N-39). */
export const pushTtlSeconds = (now: Instant, expiresAt: Instant | null): number =>
  expiresAt === null ? DAY_SECONDS : Math.max(0, Math.min(DAY_SECONDS, Math.floor((expiresAt - now) / 1000)));
