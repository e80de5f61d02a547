// The migrations of this build beside those of a folder of local data or of an archive. Data of another build are refused.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./processes.mjs";

/** The file of each migration, in their order. */
export const migrationsOfBuild = () =>
  readdirSync(join(ROOT, "db/migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** The list of the migrations of the folder's database; it is written before they are applied. */
const listIn = (dataDir) => join(dataDir, "migrations.json");

const OTHER = "Choose another DATA_DIR or delete it.";

/** Throws a sentence for a folder of another build, and changes nothing in it. */
export function refuseOtherBuild(dataDir) {
  const hasList = existsSync(listIn(dataDir));
  if (!hasList && !existsSync(join(dataDir, "v3/d1"))) return;
  const own = migrationsOfBuild();
  const names = hasList ? JSON.parse(readFileSync(listIn(dataDir), "utf8")) : [];
  if (names[0] !== own[0]) throw new Error(`This folder was made by an earlier build. ${OTHER}`);
  if (names.some((name) => !own.includes(name)))
    throw new Error(`This folder was made by a later build. ${OTHER}`);
}

/** Lists the migrations of this build as those of the folder. */
export function listMigrations(dataDir) {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(listIn(dataDir), `${JSON.stringify(migrationsOfBuild())}\n`);
}

/** Throws a sentence for an archive of an earlier build; `refuseUnlessEmpty` refuses other differences. */
export function refuseEarlierArchive(archive) {
  if (archive.migrations[0] !== migrationsOfBuild()[0])
    throw new Error("This archive was made by an earlier build. Choose another archive.");
}
