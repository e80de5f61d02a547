// A TCP proxy on loopback that delays data, in order, and cuts every connection on demand.
import { connect, createServer } from "node:net";

export function proxyTo(port) {
  const open = new Set();
  const proxy = { delay: 0 };
  const pass = (from, to) => {
    // A chain, so that no data overtakes delayed data.
    let last = Promise.resolve();
    from.on("data", (data) => {
      const at = Date.now() + proxy.delay;
      last = last.then(async () => {
        const left = at - Date.now();
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
        if (!to.destroyed) to.write(data);
      });
    });
  };
  const door = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    const pair = [near, far];
    open.add(pair);
    pass(near.setNoDelay(), far);
    pass(far.setNoDelay(), near);
    for (const [one, other] of [pair, pair.toReversed()])
      one
        .on("close", () => {
          other.destroy();
          open.delete(pair);
        })
        .on("error", () => {});
  });
  return new Promise((resolve) => {
    door.listen(0, "127.0.0.1", () => {
      proxy.url = `http://127.0.0.1:${door.address().port}`;
      proxy.cut = () => {
        for (const [near, far] of open) {
          near.destroy();
          far.destroy();
        }
      };
      proxy.close = () => {
        proxy.cut();
        door.close();
      };
      resolve(proxy);
    });
  });
}
