// The server's clock in the browser, measured against GET /api/time and based on performance.now(), so that changes to
// the machine's clock do not matter. It takes five probes at first, when the page is visible again and after a sleep,
// and one every five minutes (L-10).
import { useEffect, useMemo } from "react";
import { addProbe, bestOffset, type Correction, correctionAt, type Probe, retarget } from "~/domain/clock";
import * as paths from "~/wire/paths";
import type { Clock } from "./use-now";

const FIRST_PROBES = 5;
const PROBE_EVERY_MS = 120;
/** How often to look for a sleep, and the pause after a first failure, which each further one doubles. */
const LOOK_EVERY_MS = 1000;
const MAX_PAUSE_MS = 30_000;
/** A larger change of the lead is a sleep. */
const MAX_LEAD_CHANGE_MS = 1000;
const MEASURE_EVERY_MS = 5 * 60_000;
/** A connection from before a sleep may never answer. */
const MAX_TRIP_MS = 10_000;

let probes: Probe[] = [];
let correction: Correction | null = null;
/** When the last probe was sent, whether it was answered or not. */
let lastSentAt = 0;
/** Probes without an answer since the last one with an answer. */
let failures = 0;
/** How far the machine's clock was ahead of the monotonic one. */
let lastLead = 0;
/** How often the probes were dropped, so that a late answer is known as one of those before. */
let drops = 0;

/** Until the first probe returns, the machine's clock is used. */
export const now = (): number =>
  correction === null ? Date.now() : performance.now() + correctionAt(correction, performance.now());

function dropProbes(): void {
  probes = [];
  failures = 0;
  drops++;
}

/** In a sleep the monotonic clock may stop, so that earlier probes are worthless. */
function dropProbesAfterSleep(): void {
  const lead = Date.now() - performance.now();
  if (Math.abs(lead - lastLead) > MAX_LEAD_CHANGE_MS) dropProbes();
  lastLead = lead;
}

function pauseBeforeProbe(): number {
  if (probes.length >= FIRST_PROBES) return MEASURE_EVERY_MS;
  // The browser may be wrong about the network.
  if (navigator.onLine === false) return MAX_PAUSE_MS;
  return failures === 0 ? 0 : Math.min(LOOK_EVERY_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}

/** Sends a probe if it is time for one; true after its answer. */
async function measureIfDue(): Promise<boolean> {
  dropProbesAfterSleep();
  const sentAt = performance.now();
  if (sentAt - lastSentAt < pauseBeforeProbe()) return false;
  lastSentAt = sentAt;
  const dropsBefore = drops;
  const trip = new AbortController();
  setTimeout(() => trip.abort(), MAX_TRIP_MS);
  const answer = await fetch(paths.readTime[1], {
    cache: "no-store",
    signal: trip.signal,
  })
    .then((response) => (response.ok ? response.json<{ now: number }>() : null))
    .catch(() => null);
  dropProbesAfterSleep();
  if (!answer) failures++;
  if (!answer || drops !== dropsBefore) return false;
  failures = 0;
  probes = addProbe(probes, { sentAt, receivedAt: performance.now(), serverAt: answer.now });
  const offset = bestOffset(probes);
  if (offset !== null) correction = retarget(correction, offset, performance.now());
  return true;
}

/** Measures until the signal aborts. */
export async function measure(signal: AbortSignal): Promise<void> {
  const remeasure = () => {
    if (document.visibilityState === "visible") dropProbes();
  };
  document.addEventListener("visibilitychange", remeasure, { signal });
  window.addEventListener("online", remeasure, { signal });
  dropProbes();
  while (!signal.aborted) {
    const isAnswered = await measureIfDue();
    await new Promise((resolve) => setTimeout(resolve, isAnswered ? PROBE_EVERY_MS : LOOK_EVERY_MS));
  }
}

/** Measures while mounted; `now()` is the server's time in epoch milliseconds. */
export function useClock(): Clock {
  useEffect(() => {
    const unmounting = new AbortController();
    void measure(unmounting.signal);
    return () => unmounting.abort();
  }, []);
  return useMemo(() => ({ now }), []);
}
