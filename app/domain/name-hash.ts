// Hashes a name to the number that its picture is drawn from.

/** FNV-1a in 32 bits, the same on server and browser. Upper and lower case count as one. */
export function hashOfName(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name.toLowerCase()) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  return hash >>> 0;
}
