// Encrypts texts with AES-GCM and signs links under DATA_KEY (Q-36, N-31). The setting may list older keys after the
// current key; these only decrypt and verify.
import { memoiseByKey } from "~/domain/memoise";
import type { Vault } from "~/use-cases/ports.server";
import type { Env } from "../env";

/** Only for local runs: the key is public, so it protects nothing. */
const DEVELOPMENT_KEY = "Ym90aHktZGV2ZWxvcG1lbnQta2V5LW5vdC1zZWNyZXQ=";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const SIGNING_INFO = new TextEncoder().encode("sign");

/** The keys made from one part of DATA_KEY: `key` encrypts, and `signing` signs. `mark` begins each text that it encrypts. */
type Key = { key: CryptoKey; signing: CryptoKey; mark: string };

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

async function readKey(text: string): Promise<Key> {
  const bytes = fromBase64(text);
  if (bytes.byteLength !== KEY_BYTES) throw new Error("DATA_KEY is not 32 bytes of base64.");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const mark = `${[...digest.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}.`;
  const [key, base] = await Promise.all([
    crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]),
    crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]),
  ]);
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: SIGNING_INFO };
  const signing = await crypto.subtle.deriveKey(derivation, base, hmac, false, ["sign", "verify"]);
  return { key, signing, mark };
}

const keysIn = memoiseByKey((setting) => setting.split(/[\s,]+/).filter(Boolean));
const keysOf = (env: Pick<Env, "DATA_KEY">, isLocalRun: boolean): string[] =>
  keysIn(env.DATA_KEY || (isLocalRun ? DEVELOPMENT_KEY : ""));
const bytesOf = memoiseByKey(fromBase64);

/** The current key's bytes, for keys that are derived from it. Null on a deployed worker without the setting. */
export function currentDataKey(
  env: Pick<Env, "DATA_KEY">,
  isLocalRun: boolean,
): Uint8Array<ArrayBuffer> | null {
  const [first] = keysOf(env, isLocalRun);
  return first === undefined ? null : bytesOf(first);
}

async function sign({ signing }: Key, text: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", signing, new TextEncoder().encode(text));
  return toBase64(new Uint8Array(signature)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/** Null on a deployed worker without the setting. The keys are parsed on first use. */
export function createVault(env: Pick<Env, "DATA_KEY">, isLocalRun: boolean): Vault | null {
  const texts = keysOf(env, isLocalRun);
  if (texts.length === 0) return null;
  let keysPromise: Promise<Key[]> | undefined;
  const keys = () => {
    keysPromise ??= Promise.all(texts.map(readKey));
    return keysPromise;
  };
  const currentKey = async (): Promise<Key> => {
    const [first] = await keys();
    if (!first) throw new Error("DATA_KEY holds no key.");
    return first;
  };
  const algorithm = (iv: Uint8Array<ArrayBuffer>, context: string) => ({
    name: "AES-GCM",
    iv,
    additionalData: new TextEncoder().encode(context),
  });
  return {
    get mark() {
      return currentKey().then(({ mark }) => mark);
    },
    sign: async (text) => sign(await currentKey(), text),
    signatures: async (text) => Promise.all((await keys()).map((key) => sign(key, text))),
    async verify(text, signature) {
      if (!/^[\w-]{43}$/.test(signature)) return false;
      const bytes = fromBase64(signature.replace(/-/g, "+").replace(/_/g, "/"));
      const plainText = new TextEncoder().encode(text);
      for (const { signing } of await keys())
        if (await crypto.subtle.verify("HMAC", signing, bytes, plainText)) return true;
      return false;
    },
    async seal(text, context) {
      const { key, mark } = await currentKey();
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = await crypto.subtle.encrypt(algorithm(iv, context), key, new TextEncoder().encode(text));
      return mark + toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
    },
    async open(sealed, context) {
      const sealingKey = (await keys()).find(({ mark }) => sealed.startsWith(mark));
      if (!sealingKey) return null;
      try {
        const bytes = fromBase64(sealed.slice(sealingKey.mark.length));
        const iv = bytes.slice(0, IV_BYTES);
        const plainBytes = await crypto.subtle.decrypt(
          algorithm(iv, context),
          sealingKey.key,
          bytes.slice(IV_BYTES),
        );
        return new TextDecoder().decode(plainBytes);
      } catch {
        return null;
      }
    },
  };
}
