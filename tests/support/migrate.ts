// Resets the data before each test file, so that it begins with an empty, migrated D1 and empty counters. The files
// share a worker, because loading the app is slow.
import { applyD1Migrations, listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sessionIds, usedCounters } from "./test-worker";

// `reset` empties only what is awake; an evicted counter or an idle database would keep its storage.
await Promise.all(
  [...new Set(usedCounters)].map((id) =>
    runInDurableObject(env.COUNTERS.get(env.COUNTERS.idFromString(id)), (_, state) =>
      state.storage.deleteAll(),
    ),
  ),
);
usedCounters.length = 0;
await Promise.all([env.UPLOADS.head("any"), env.COPIES.head("any")]);
const last = await env.DB.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'sessions'")
  .first<number>("seq")
  .catch(() => null); // The first file finds no table.
sessionIds.last = Math.max(sessionIds.last, last ?? 0);
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
// Session ids continue, so that no test meets a room of an earlier file: to wake each and empty it is slow.
await env.DB.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('sessions', ?)")
  .bind(sessionIds.last)
  .run();
const next = env.ROOMS.idFromName(String(sessionIds.last + 1));
if ((await listDurableObjectIds(env.ROOMS)).some((id) => id.equals(next)))
  throw new Error("The first session would meet the room of an earlier file.");
const { results } = await env.DB.prepare("SELECT id FROM users LIMIT 1").all();
if (results.length) throw new Error("The database of the file before is still there.");
