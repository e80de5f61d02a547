// Web push by VAPID (RFC 8291, 8292), and the push box of a local run. The library loads on first use.
import { type Database, schema } from "#db/connect.server";
import { loadOnce } from "~/domain/load-once";
import { logLine } from "~/domain/log-line";
import { pushBoxEndpoint } from "~/domain/notices/push";
import { type Instant, instant } from "~/domain/time";
import type { Push } from "~/use-cases/ports.server";
import type { Env } from "../env";

const loadWebPush = loadOnce(() => import("@block65/webcrypto-web-push"));

type PushEnv = Pick<Env, "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY" | "VAPID_SUBJECT">;
const TIMEOUT_MS = 10_000;
const TOPIC_BYTES = 24;

/** Null without keys; pages then offer no push. `boxOrigin` is the origin of a local run, null elsewhere. */
export function createPush(
  env: PushEnv,
  db: Database,
  boxOrigin: string | null,
  fetchFn: typeof fetch = (input, init) => fetch(input, init),
): Push | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = env;
  if (!publicKey || !privateKey || !subject) return null;
  return {
    publicKey,
    async post({ endpoint, p256dh, auth }, { payload, ttl, key }) {
      const { encryptNotification, vapidHeaders } = await loadWebPush();
      const isBox = boxOrigin !== null && endpoint.startsWith(pushBoxEndpoint(boxOrigin, ""));
      const browser = {
        // The library refuses the plain http of a local run.
        endpoint: isBox ? endpoint.replace(/^http:/, "https:") : endpoint,
        expirationTime: null,
        keys: { p256dh, auth },
      };
      const [body, { headers: vapid }, topic] = await Promise.all([
        encryptNotification(browser, new TextEncoder().encode(payload)),
        vapidHeaders(browser, { publicKey, privateKey, subject }),
        topicOf(key),
      ]);
      const headers = {
        ...vapid,
        TTL: String(ttl),
        Topic: topic,
        Urgency: "high",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
      };
      if (isBox) {
        await storePush(db, {
          endpoint,
          payload,
          headers,
          body: toBase64(body),
          sentAt: instant(Date.now()),
        });
        return "sent";
      }
      return postMessage(fetchFn, endpoint, { headers, body });
    },
  };
}

type StoredPush = {
  endpoint: string;
  payload: string;
  headers: Record<string, string>;
  body: string;
  sentAt: Instant;
};
const storePush = (db: Database, row: StoredPush) => db.insert(schema.pushBox).values(row);

type EncryptedMessage = { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

/** The status of a request without an answer. */
const NO_ANSWER = 0;

/** Posts the message, without following redirects. Without an answer, or after a 429 or 5xx, a later retry may succeed. */
async function postMessage(fetchFn: typeof fetch, endpoint: string, { headers, body }: EncryptedMessage) {
  const answer = await fetchFn(endpoint, {
    method: "POST",
    headers,
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  await answer?.body?.cancel();
  const status = answer?.status ?? NO_ANSWER;
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  const result = status === NO_ANSWER || status === 429 || status >= 500 ? "later" : "refused";
  const { host } = new URL(endpoint);
  console.error(logLine({ event: "push-failed", host, status, result }));
  return result;
}

/** The topic, by which the push service replaces an earlier copy of the message: 32 letters of base64url (RFC 8030). */
async function topicOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return toBase64(new Uint8Array(digest, 0, TOPIC_BYTES))
    .replace(/\+/g, "-")
    .replace(/\//g, "_");
}

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
