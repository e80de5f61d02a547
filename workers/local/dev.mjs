// `npm run dev`: serves the sources with hot replacement, and fills a new database.
import { refuseOtherBuild } from "./builds.mjs";
import { takeFolder } from "./owner.mjs";
import { announce, endOnSignals, endWith, endWithSentence, imitateCrons, readFilling } from "./run-local.mjs";
import {
  checkMachine,
  dataFolder,
  ensureInstalled,
  migrate,
  serveSources,
  untilFree,
  wantedPort,
} from "./tools.mjs";

const filling = readFilling("npm run dev");
endOnSignals();
try {
  checkMachine();
  const [port, dataDir] = [wantedPort(), dataFolder()];
  const vars = process.env.RATE_LIMITS ? { RATE_LIMITS: process.env.RATE_LIMITS } : {};
  refuseOtherBuild(dataDir);
  await takeFolder(dataDir, `http://127.0.0.1:${port}`);
  await untilFree(port);
  await ensureInstalled();
  await migrate(dataDir);
  const server = await serveSources({ port, dataDir, vars });
  endWith(server);
  await announce(server.url, port, filling);
  imitateCrons(server.url);
} catch (error) {
  await endWithSentence(error);
}
