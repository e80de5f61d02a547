import { refuseOtherBuild } from "./builds.mjs";
import { takeFolder } from "./owner.mjs";
import { announce, imitateCrons, readFilling, untilEnded } from "./run-local.mjs";
import { dataFolder, ensureBuilt, ensureInstalled, migrate, serve, untilFree } from "./tools.mjs";

const filling = readFilling("npm start");
const port = Number(process.env.PORT ?? 8787);
const dataDir = dataFolder();
const vars = Object.fromEntries(
  ["RATE_LIMITS", "EDGE_CACHE"].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

let server;
try {
  refuseOtherBuild(dataDir);
  await takeFolder(dataDir, `http://127.0.0.1:${port}`);
  await untilFree(port);
  await ensureInstalled();
  await Promise.all([ensureBuilt(), migrate(dataDir)]);
  server = await serve({ port, dataDir, vars });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
untilEnded(() => server);
await announce(server.url, port, filling);
imitateCrons(() => server.url);
