// Runs work after the browser could paint and answer presses, in a new turn of the event loop.

/** In the order of the calls. A hidden page does not delay it, as it does a timer. */
export function runAfterYield(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
}
