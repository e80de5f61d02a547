// Retries the reload of a page's data until the network is back. Otherwise the router would replace the page, and
// everything typed in it, with the error page.

type Fetch = typeof fetch;

/** Delays before the attempts; the last repeats. The browser's "online" event ends a delay. */
const WAITS_MS = [500, 2000, 5000, 15_000];

const isUnanswered = ({ status }: Response) => status >= 502 && status <= 504;

/** The request reads the data of the page that is shown; a request for the next page fails at once. */
function isReload(input: Parameters<Fetch>[0], init: RequestInit | undefined, shown: URL): boolean {
  if (!(input instanceof URL) || (init?.method ?? "GET") !== "GET" || !input.pathname.endsWith(".data"))
    return false;
  const page = new URL(input);
  page.pathname = page.pathname === "/_root.data" ? "/" : page.pathname.slice(0, -".data".length);
  page.searchParams.delete("_routes");
  return page.pathname === shown.pathname && `${page.searchParams}` === `${shown.searchParams}`;
}

/** Wraps `send`. Remove when the router keeps a page whose reload fails. */
export function steadyReloads(
  send: Fetch,
  shownUrl: () => URL,
  pause: (ms: number, signal: AbortSignal | null | undefined) => Promise<void> = untilOnline,
): Fetch {
  return async (input, init) => {
    if (!isReload(input, init, shownUrl())) return send(input, init);
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await send(input, init);
        if (!isUnanswered(response)) return response;
      } catch (error) {
        if (init?.signal?.aborted) throw error;
      }
      await pause(WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)] ?? 0, init?.signal);
    }
  };
}

/**
 * Resolves after `ms`, or once the browser is online. Rejects when the router gives up the request for a navigation.
 */
const untilOnline = (ms: number, signal: AbortSignal | null | undefined) =>
  new Promise<void>((resolve, reject) => {
    const listening = new AbortController();
    const proceed = () => {
      clearTimeout(timer);
      listening.abort();
      resolve();
    };
    const timer = setTimeout(proceed, ms);
    window.addEventListener("online", proceed, { signal: listening.signal });
    const giveUp = () => {
      clearTimeout(timer);
      listening.abort();
      reject(signal?.reason);
    };
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp, { signal: listening.signal });
  });
