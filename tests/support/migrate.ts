// Resets the data before each test file, so that it begins with an empty, migrated D1 and empty rooms. The files
// share a worker, because loading the app is slow.
import { applyD1Migrations, listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

// `reset` empties only what is awake; an evicted room or an idle database would keep its storage.
async function empty<T extends Rpc.DurableObjectBranded>(objects: DurableObjectNamespace<T>) {
  for (const id of await listDurableObjectIds(objects))
    await runInDurableObject(objects.get(id), (_, state) => state.storage.deleteAll());
}
await empty(env.ROOMS);
await empty(env.COUNTERS);
await Promise.all([env.DB.prepare("SELECT 1").run(), env.UPLOADS.head("any"), env.COPIES.head("any")]);
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
const { results } = await env.DB.prepare("SELECT id FROM users LIMIT 1").all();
if (results.length) throw new Error("The database of the file before is still there.");
