// The test files of a worker share it (loading the app anew for each would take most of the time), not its data:
// every file starts from the migrated, empty database, and from rooms that remember nothing.
import { applyD1Migrations, listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

// `reset` empties what is awake; an object that a test had put to sleep would keep its storage.
for (const objects of [env.ROOMS, env.COUNTERS])
  for (const id of await listDurableObjectIds(objects))
    await runInDurableObject(objects.get(id), (_, state) => state.storage.deleteAll());
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
