// Runs work in a task of its own, so that the browser can paint and answer presses before it.

/** In the order of the calls. A hidden page does not delay it, as it does a timer. */
export function apart(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
}
