// `npm run db:migrate`: applies the missing migrations to the local database in DATA_DIR.
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

try {
  await ensureInstalled();
  await migrate(dataFolder());
  console.log(`The database in ${dataFolder()} has the present schema.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
