// Keys derived from DATA_KEY by HKDF-SHA-256. Each use has its own info text, so that no key reveals DATA_KEY or the key of
// another use.

type KeyUse = {
  info: string;
  algorithm: { name: "HMAC"; hash: "SHA-256"; length: 256 };
  usages: ("sign" | "verify")[];
};

/** The keys of this process by DATA_KEY and info. It caches no promises, because a request may not await another's. */
const derivedKeys = new WeakMap<Uint8Array, Map<string, CryptoKey>>();

export async function deriveKey(dataKey: Uint8Array<ArrayBuffer>, use: KeyUse): Promise<CryptoKey> {
  const keys = derivedKeys.get(dataKey) ?? new Map<string, CryptoKey>();
  derivedKeys.set(dataKey, keys);
  const cachedKey = keys.get(use.info);
  if (cachedKey) return cachedKey;
  const root = await crypto.subtle.importKey("raw", dataKey, "HKDF", false, ["deriveKey"]);
  const algorithm = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: new TextEncoder().encode(use.info),
  };
  const key = await crypto.subtle.deriveKey(algorithm, root, use.algorithm, false, use.usages);
  keys.set(use.info, key);
  return key;
}
