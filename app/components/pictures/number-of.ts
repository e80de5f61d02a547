// The number of a name, from which its picture is drawn.

/** FNV-1a: the same small number for the same name, on server and browser. */
export function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name.toLowerCase()) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  return hash >>> 0;
}
