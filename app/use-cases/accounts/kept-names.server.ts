// Nobody takes the names of a deleted account for a year. The database keeps only hashes of them.
import { hash } from "node:crypto";
import { findKeptNames, keepNames } from "#db/queries/accounts/kept-names";
import { USERNAME_TAKEN } from "~/domain/accounts/rules";
import { invalid } from "~/domain/errors";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";

const KEPT_DAYS = 365;

/** The hashes of a name under each key of DATA_KEY, the present key first; without the setting, a single plain hash. */
async function hashesOf({ vault }: Pick<App, "vault">, username: string): Promise<string[]> {
  const text = `name:${username.toLowerCase()}`;
  return vault ? vault.signatures(text) : [hash("sha256", text, "base64url")];
}

/** The statements that reserve these names, for the batch that erases their account. */
export async function keepNamesStatements(app: App, usernames: readonly string[]) {
  const hashesByName = await Promise.all(usernames.map((name) => hashesOf(app, name)));
  const presentHashes = hashesByName.flatMap(([first]) => (first === undefined ? [] : [first]));
  return keepNames(app.db, presentHashes, instant(app.now + KEPT_DAYS * DAY));
}

/** INVALID at `username` for a name of a deleted account, in the words of a name that somebody has. */
export async function refuseKeptName(app: App, username: string): Promise<void> {
  const [keptName] = await findKeptNames(app.db, await hashesOf(app, username), app.now);
  if (keptName) throw invalid("username", USERNAME_TAKEN);
}
