// The seed of a run: property tests that name none draw from it, so that each run tries other values.
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    propertySeed: number;
    isWholeMatrix: boolean;
    fuzzRequests: number;
    fuzzSeed: number;
  }
}

export const propertySeed = inject("propertySeed");
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: propertySeed });

/** The seeds of a property that once failed, or counts on its values, and the seed of this run. */
export const seedsOf = (...fixed: number[]): number[] => [...fixed, propertySeed];
