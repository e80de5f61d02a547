// The seed of a run: property tests without a fixed seed use it, so that each run tries other values.
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    propertySeed: number;
    seeds: "fixed" | "drawn" | "both";
    isWholeMatrix: boolean;
    fuzzRequests: number;
    isLongRun: boolean;
  }
}

export const propertySeed = inject("propertySeed");
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: propertySeed });

/** Seeds with which a property once failed, or on whose values it depends, and the seed of this run. `npm test` tries
 *  the first, the step `seeds` of `npm run test:all` the last. */
export function seedsOf(...fixed: [number, ...number[]]): number[] {
  const seeds = inject("seeds");
  return [...(seeds === "drawn" ? [] : fixed), ...(seeds === "fixed" ? [] : [propertySeed])];
}

/** The number of repetitions: `whole` in `npm run test:long`, `quick` with the fixed seeds of `npm test`, else `sample`. */
export const runsOf = (whole: number, sample: number, quick = sample): number =>
  inject("isLongRun") ? whole : inject("seeds") === "fixed" ? quick : sample;

/** The whole list in `npm run test:long`; otherwise about `count` of it, which the run's seed and `salt` decide. */
export function drawn<T>(list: readonly T[], count: number, salt = 0): T[] {
  const step = Math.max(1, Math.floor(list.length / runsOf(list.length, count)));
  return list.filter((_, at) => (at - propertySeed - count * salt) % step === 0);
}
