// `npm run db:migrate`: brings the local database, in DATA_DIR, to the present schema.
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

try {
  await ensureInstalled();
  await migrate(dataFolder());
  console.log(`The database in ${dataFolder()} has the present schema.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
