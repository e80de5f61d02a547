// The server's clock in the browser, measured against GET /api/time and based on performance.now(), so that changes to
// the machine's clock do not matter. One clock for the page sends five probes at first, then every five minutes and
// when the page is visible again (L-10).
import { useEffect, useMemo } from "react";
import { addProbe, bestOffset, type Correction, correctionAt, type Probe, retarget } from "~/domain/clock";
import * as paths from "~/wire/paths";
import type { Clock } from "./use-now";

const FIRST_PROBES = 5;
const PROBE_EVERY_MS = 120;
const MEASURE_EVERY_MS = 5 * 60_000;

let probes: Probe[] = [];
let correction: Correction | null = null;

/** Until the first probe returns, the machine's clock is used. */
const now = (): number =>
  correction === null ? Date.now() : performance.now() + correctionAt(correction, performance.now());

async function measureOnce(): Promise<void> {
  const sentAt = performance.now();
  const answer = await fetch(paths.readTime[1], { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const { now: serverAt } = (await answer.json()) as { now: number };
  probes = addProbe(probes, { sentAt, receivedAt: performance.now(), serverAt });
  const offset = bestOffset(probes);
  if (offset !== null) correction = retarget(correction, offset, performance.now());
}

async function measure(times: number, signal: AbortSignal): Promise<void> {
  for (let i = 0; i < times && !signal.aborted; i++) {
    await measureOnce();
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
}

/** Measures while mounted; `now()` is the server's time in epoch milliseconds. */
export function useClock(): Clock {
  useEffect(() => {
    const unmounting = new AbortController();
    const { signal } = unmounting;
    void measure(FIRST_PROBES, signal);
    const timer = setInterval(() => void measure(1, signal), MEASURE_EVERY_MS);
    const remeasure = () => {
      if (document.visibilityState !== "visible") return;
      // The monotonic clock may stop during sleep, so earlier probes are worthless.
      probes = [];
      void measure(FIRST_PROBES, signal);
    };
    document.addEventListener("visibilitychange", remeasure, { signal });
    window.addEventListener("online", remeasure, { signal });
    return () => {
      clearInterval(timer);
      unmounting.abort();
    };
  }, []);
  return useMemo(() => ({ now }), []);
}
