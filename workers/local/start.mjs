// `npm start`: builds the app if needed, serves it, and fills a new database.
import { refuseOtherBuild } from "./builds.mjs";
import { takeFolder } from "./owner.mjs";
import { announce, endOnSignals, endWith, endWithSentence, imitateCrons, readFilling } from "./run-local.mjs";
import {
  checkMachine,
  dataFolder,
  ensureBuilt,
  ensureInstalled,
  migrate,
  serve,
  untilFree,
  wantedPort,
} from "./tools.mjs";

const filling = readFilling("npm start");
endOnSignals();
try {
  checkMachine();
  const [port, dataDir] = [wantedPort(), dataFolder()];
  const vars = Object.fromEntries(
    ["RATE_LIMITS", "EDGE_CACHE"].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  refuseOtherBuild(dataDir);
  await takeFolder(dataDir, `http://127.0.0.1:${port}`);
  await untilFree(port);
  await ensureInstalled();
  await Promise.all([ensureBuilt(), migrate(dataDir)]);
  const server = await serve({ port, dataDir, vars });
  endWith(server);
  await announce(server.url, port, filling);
  imitateCrons(server.url);
} catch (error) {
  await endWithSentence(error);
}
