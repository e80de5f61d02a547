// Compares the migrations of this build with those of local data or of an archive, and refuses data of another build.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./processes.mjs";

/** The files of the migrations, in the order in which they are applied. */
export const migrationsOfBuild = () =>
  readdirSync(join(ROOT, "db/migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** The file that lists the migrations of the folder's database. It is written before they are applied. */
const migrationListPath = (dataDir) => join(dataDir, "migrations.json");

const CHOOSE_ANOTHER = "Choose another DATA_DIR or delete it.";

/** Throws a sentence for a folder of another build, and changes nothing in it. */
export function refuseOtherBuild(dataDir) {
  const hasList = existsSync(migrationListPath(dataDir));
  if (!hasList && !existsSync(join(dataDir, "v3/d1"))) return;
  const buildMigrations = migrationsOfBuild();
  const names = hasList ? JSON.parse(readFileSync(migrationListPath(dataDir), "utf8")) : [];
  if (names[0] !== buildMigrations[0])
    throw new Error(`This folder was made by an earlier build. ${CHOOSE_ANOTHER}`);
  if (names.some((name) => !buildMigrations.includes(name)))
    throw new Error(`This folder was made by a later build. ${CHOOSE_ANOTHER}`);
}

/** Records the migrations of this build as those of the folder. */
export function recordMigrations(dataDir) {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(migrationListPath(dataDir), `${JSON.stringify(migrationsOfBuild())}\n`);
}

/** Throws a sentence for an archive of an earlier build; `refuseUnlessEmpty` refuses other differences. */
export function refuseEarlierArchive(archive) {
  if (archive.migrations[0] !== migrationsOfBuild()[0])
    throw new Error("This archive was made by an earlier build. Choose another archive.");
}
