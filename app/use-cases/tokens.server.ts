// Random tokens for cookies and emailed links, and the hash of each that the database stores.
import { hash } from "node:crypto";

export async function hashToken(token: string): Promise<string> {
  return hash("sha256", token);
}

/** 256 random bits, for cookies and emailed links. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");
}
