// Refuses new passwords that are easy to guess: common ones, and those that contain a known name (V-06).
import { createHash } from "node:crypto";
import * as accountRefusals from "~/domain/accounts/refusals";
import { TOO_EASY } from "~/domain/accounts/rules";
import { invalid } from "~/domain/errors";
import { loadOnce } from "~/domain/load-once";
import type { App } from "~/use-cases/app.server";

/** Shorter names occur in passwords by accident. */
const SHORTEST_NAME = 4;

type Owner = { username: string; email: string };

/** INVALID at `password`, with a sentence that says what to change. */
export async function refuseWeakPassword(app: App, password: string, owner: Owner): Promise<void> {
  const text = password.normalize("NFKC").toLowerCase();
  const { appName } = app.settings;
  const names = [
    [appName, `the name ${appName}`],
    [owner.username, "your username"],
    [owner.email.split("@")[0] ?? "", "a part of your email address"],
  ] as const;
  for (const [name, label] of names)
    if (name.length >= SHORTEST_NAME && text.includes(name.normalize("NFKC").toLowerCase()))
      throw invalid("password", accountRefusals.weakPassword(label));
  if (await isCommonPassword(text)) throw invalid("password", TOO_EASY);
}

const loadCommonPasswords = loadOnce(() => import("./common-passwords.server"));

/** `text` in lower case. */
export async function isCommonPassword(text: string): Promise<boolean> {
  const { BYTES_OF_HASH, HASHES } = await loadCommonPasswords();
  const sortedHashes = Buffer.from(HASHES, "base64");
  const passwordHash = createHash("sha256").update(text).digest().subarray(0, BYTES_OF_HASH);
  let low = 0;
  let high = sortedHashes.length / BYTES_OF_HASH;
  while (low < high) {
    const middle = (low + high) >> 1;
    const offset = middle * BYTES_OF_HASH;
    const order = Buffer.compare(sortedHashes.subarray(offset, offset + BYTES_OF_HASH), passwordHash);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
