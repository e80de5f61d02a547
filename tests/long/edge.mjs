// The edge in front of a worker, for the rehearsal of a deployment: it passes requests and sockets on, holds new ones
// while the worker is replaced, and notes every answer of 5xx.
import { createServer, request } from "node:http";
import { connect } from "node:net";

/** /api/health is 503 until the first minute cron, which no rehearsal waits for. */
const isCounted = (url) => url !== "/api/health";

export function edgeTo(port) {
  const edge = { answers: 0, failed: [] };
  const sockets = new Set();
  let open = Promise.resolve();
  let inFlight = 0;
  const note = (status, what) => {
    edge.answers++;
    if (status >= 500) edge.failed.push(`${status} ${what}`);
  };

  /** A failure is noted with its body, which names the request as the server's log does. */
  const noteAnswer = (got, what) => {
    if (got.statusCode < 500) return note(got.statusCode, what);
    let body = "";
    got.setEncoding("utf8").on("data", (text) => (body += text));
    got.on("end", () => note(got.statusCode, `${what}: ${body.slice(0, 500)}`));
  };

  const door = createServer(async (asked, answer) => {
    await open;
    // The client gave up while requests were held.
    if (answer.destroyed) return;
    inFlight++;
    const { method, url } = asked;
    // Plain answers, so that a failure can be read.
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const far = request({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (got) => {
      if (isCounted(url)) noteAnswer(got, `${method} ${url}`);
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    far.on("close", () => inFlight--);
    far.on("error", (error) => {
      if (answer.destroyed) return;
      note(502, `${method} ${url}: ${error.message}`);
      answer.writeHead(502).end();
    });
    // Of a client that gives up nothing more comes, so its request would never end.
    answer.on("close", () => far.destroy());
    asked.pipe(far);
  });
  door.on("upgrade", async (asked, near, head) => {
    await open;
    const far = connect(port, "127.0.0.1", () => {
      const headers = Object.entries(asked.headers).map(([name, value]) => `${name}: ${value}`);
      far.write(`GET ${asked.url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
      far.write(head);
      far.once("data", (first) => note(Number(String(first).split(" ", 2)[1]), `socket ${asked.url}`));
      near.pipe(far).pipe(near);
    });
    const pair = [near, far];
    sockets.add(pair);
    for (const [one, other] of [pair, pair.toReversed()])
      one
        .on("close", () => {
          other.destroy();
          sockets.delete(pair);
        })
        .on("error", () => {});
  });

  /** Ends what runs, lets the sockets go as a new version does, and holds new requests until the work is done. */
  edge.swap = async (work) => {
    let release;
    open = new Promise((resolve) => {
      release = resolve;
    });
    while (inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const pair of sockets) for (const one of pair) one.destroy();
    await work();
    release();
  };
  edge.close = () => {
    for (const pair of sockets) for (const one of pair) one.destroy();
    door.close();
    door.closeAllConnections();
  };
  return new Promise((resolve) => {
    door.listen(0, "127.0.0.1", () => {
      edge.url = `http://127.0.0.1:${door.address().port}`;
      resolve(edge);
    });
  });
}
