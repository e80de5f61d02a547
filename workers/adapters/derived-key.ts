// Keys derived from DATA_KEY by HKDF-SHA-256. Each use has an info text of its own, so that no key says anything about
// DATA_KEY or about another use.

type Use = {
  info: string;
  algorithm: { name: "HMAC"; hash: "SHA-256"; length: 256 };
  usages: ("sign" | "verify")[];
};

/** Derived once for each process and DATA_KEY; a promise of another request must not be awaited. */
const derived = new WeakMap<Uint8Array, Map<string, CryptoKey>>();

export async function deriveKey(dataKey: Uint8Array<ArrayBuffer>, use: Use): Promise<CryptoKey> {
  const keys = derived.get(dataKey) ?? new Map<string, CryptoKey>();
  derived.set(dataKey, keys);
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
