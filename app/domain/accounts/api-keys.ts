// The rules of personal keys (O-01 to O-09): their format, scopes, lifetimes and limits. Browsers load this file.
import type { Rules } from "~/domain/field-rules";
import { DAY, type Instant, instant } from "~/domain/time";

/** The rights that a key may have. A call names the one that it needs. */
export const KEY_SCOPES = ["read", "write", "host"] as const;
/** The right of a key that logs one goal (W-04). */
export const LOG_SCOPE = "log";
export type KeyScope = (typeof KEY_SCOPES)[number] | typeof LOG_SCOPE;
export const SCOPE_LABELS: Record<KeyScope, { label: string; hint: string }> = {
  log: { label: "Log one goal", hint: "Logs of one goal: store, take back and read." },
  read: { label: "Read", hint: "Everything that you see yourself, except payments and security." },
  write: { label: "Write", hint: "Your own goals, logs, notes, items and seats. A seat may cost a token." },
  host: { label: "Host", hint: "The sessions, huts and activities that you run." },
};

export const KEY_DAYS = [30, 90, 365] as const;
export const MAX_KEYS = 20;
/** The limit of keys that log one goal, which is separate (W-04). */
export const MAX_LOG_KEYS = 100;
export const LOG_KEY_DAYS = 365;
export const MAX_KEY_NAME_CHARS = 60;
/** The number of characters of a key that the list of keys shows. */
export const KEY_START = 8;
/** How long before the end of a key its owner gets a notice. Milliseconds. */
const KEY_WARNING = 7 * DAY;
export const warnsUntil = (now: Instant): Instant => instant(now + KEY_WARNING);

export const KEY_PREFIX = "bth_";
/** The random part and the checksum. */
export const KEY_PATTERN = /^bth_([\w-]{43})([\w-]{6})$/;
const KEYS_IN_TEXT = /bth_[\w-]{49}/g;
/** Hides keys in texts that other people or logs keep (O-09). */
export const maskKeys = (text: string): string => text.replace(KEYS_IN_TEXT, `${KEY_PREFIX}…`);

/** Calls of one key in a minute (O-07). */
export const KEY_CALLS = { read: 300, write: 60 } as const;
export const KEY_WINDOW_SECONDS = 60;

export const KEY_REFUSED = "This key does not work. It may have expired or been revoked.";
export const SCOPE_REFUSED = "This key may not do that.";
export const KEY_NEEDS_ADDRESS = "Please confirm your email address first.";
export const TOO_MANY_LOG_KEYS = `You have ${MAX_LOG_KEYS} keys that log a goal. Please revoke one first.`;
export const TOO_MANY_KEYS = `You have ${MAX_KEYS} keys. Please revoke one first.`;

/** The rules of the form of a new key, which the server checks too. */
export const keyRules = {
  name: (value) =>
    value.trim() === ""
      ? "Value is required"
      : [...value.trim()].length > MAX_KEY_NAME_CHARS
        ? `Please keep this to ${MAX_KEY_NAME_CHARS} characters.`
        : null,
} satisfies Rules;

/** A key in its owner's list. The id is the hash, which is useless as a key. */
export type ListedKey = {
  id: string;
  name: string;
  start: string;
  scopes: KeyScope[];
  createdAt: Instant;
  expiresAt: Instant;
  lastUsedAt: Instant | null;
};

/** The known scopes in a stored, comma-separated text. */
export const scopesOf = (text: string): KeyScope[] =>
  ([...KEY_SCOPES, LOG_SCOPE] as const).filter((scope) => text.split(",").includes(scope));
