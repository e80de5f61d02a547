import { refuseOtherBuild } from "./builds.mjs";
import { takeFolder } from "./owner.mjs";
import { announce, imitateCrons, readFilling, untilEnded } from "./run-local.mjs";
import { dataFolder, ensureInstalled, migrate, serveSources, untilFree } from "./tools.mjs";

const filling = readFilling("npm run dev");
const port = Number(process.env.PORT ?? 8787);
const dataDir = dataFolder();
const vars = process.env.RATE_LIMITS ? { RATE_LIMITS: process.env.RATE_LIMITS } : {};

try {
  refuseOtherBuild(dataDir);
  await takeFolder(dataDir, `http://127.0.0.1:${port}`);
  await untilFree(port);
  await ensureInstalled();
  await migrate(dataDir);
  const server = await serveSources({ port, dataDir, vars });
  untilEnded(() => server);
  await announce(server.url, port, filling);
  imitateCrons(() => server.url);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
