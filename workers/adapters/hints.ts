// The hint cookie: the user of the last page, encrypted and bound to the login. It saves a page the wait for the login
// lookup, and proves nothing (decision 58).
import type { CurrentUser } from "~/use-cases/app.server";
import type { Env } from "../env";
import { deriveKey } from "./derived-key";
import { presentDataKey } from "./vault";

const KEY = {
  info: "bothy current user",
  algorithm: { name: "AES-GCM", length: 256 },
  usages: ["encrypt", "decrypt"],
} satisfies Parameters<typeof deriveKey>[1];
const IV_BYTES = 12;
/** Characters. A user with a longer hint, such as a long reason of a suspension, has none. */
const LONGEST = 1000;

type Field = Exclude<keyof CurrentUser, "loginHash">;
const FIELDS = Object.keys({
  id: 0,
  roleId: 0,
  email: 0,
  isConfirmed: 0,
  username: 0,
  personId: 0,
  firstName: 0,
  lastName: 0,
  timeZone: 0,
  unreadNotices: 0,
  isNew: 0,
  newMessages: 0,
  tokens: 0,
  owed: 0,
  subscription: 0,
  suspension: 0,
  checkedAt: 0,
} satisfies Record<Field, 0>) as Field[];

const textOf = (user: CurrentUser): string => JSON.stringify(FIELDS.map((field) => user[field]));

/** Whether two users of the same login agree in every field. */
export const isSameUser = (one: CurrentUser, other: CurrentUser): boolean =>
  one.loginHash === other.loginHash && textOf(one) === textOf(other);

export type Hints = {
  /** null: too long for a cookie. */
  seal(user: CurrentUser): Promise<string | null>;
  /** null: forged, of another login, or of a version with other fields. */
  open(hint: string, loginHash: string): Promise<CurrentUser | null>;
};

/** null on a deployed worker without DATA_KEY: each page then looks up its login first. */
export function createHints(env: Pick<Env, "DATA_KEY">, isLocalRun: boolean): Hints | null {
  const dataKey = presentDataKey(env, isLocalRun);
  if (dataKey === null) return null;
  const algorithm = (iv: Uint8Array<ArrayBuffer>, loginHash: string) => ({
    name: "AES-GCM",
    iv,
    additionalData: new TextEncoder().encode(`${FIELDS.join()} ${loginHash}`),
  });
  return {
    async seal(user) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const text = new TextEncoder().encode(textOf(user));
      const key = await deriveKey(dataKey, KEY);
      const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, user.loginHash), key, text));
      const hint = btoa(String.fromCharCode(...iv, ...sealed))
        .replace(/\+/g, "-")
        .replace(/\//g, "_")
        .replace(/=/g, "");
      return hint.length > LONGEST ? null : hint;
    },
    async open(hint, loginHash) {
      if (hint.length > LONGEST || !/^[\w-]+$/.test(hint)) return null;
      try {
        const letters = atob(hint.replace(/-/g, "+").replace(/_/g, "/"));
        const bytes = new Uint8Array(letters.length);
        for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
        const key = await deriveKey(dataKey, KEY);
        const opened = await crypto.subtle.decrypt(
          algorithm(bytes.subarray(0, IV_BYTES), loginHash),
          key,
          bytes.subarray(IV_BYTES),
        );
        const values = JSON.parse(new TextDecoder().decode(opened)) as unknown[];
        const fields = Object.fromEntries(FIELDS.map((field, at) => [field, values[at]]));
        return { ...fields, loginHash } as CurrentUser;
      } catch {
        return null;
      }
    },
  };
}
