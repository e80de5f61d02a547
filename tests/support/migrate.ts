// The test files of a worker share it (loading the app anew for each would take most of the time), not its data:
// every file starts from the migrated, empty database, and from rooms that remember nothing.
import { applyD1Migrations, listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

// `reset` empties what is awake; what sleeps (an evicted room, an idle database) would keep its storage.
async function empty<T extends Rpc.DurableObjectBranded>(objects: DurableObjectNamespace<T>) {
  for (const id of await listDurableObjectIds(objects))
    await runInDurableObject(objects.get(id), (_, state) => state.storage.deleteAll());
}
await empty(env.ROOMS);
await empty(env.COUNTERS);
await Promise.all([env.DB.prepare("SELECT 1").run(), env.UPLOADS.head("any")]);
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
const { results } = await env.DB.prepare("SELECT id FROM users LIMIT 1").all();
if (results.length) throw new Error("The database of the file before is still there.");
