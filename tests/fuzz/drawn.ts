// A seeded random source that draws from lists.
import { randomOf } from "../long/random.mjs";

export type Draw = {
  /** From 0 to `limit` - 1. */
  number(limit: number): number;
  one<T>(list: readonly T[]): T;
  /** True once in `draws` draws, on average. */
  isOnceIn(draws: number): boolean;
};

export function drawFrom(seed: number): Draw {
  const random = randomOf(seed);
  const number = (limit: number) => Math.floor(random.share() * limit);
  return {
    number,
    one<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error("nothing to draw from");
      return list[number(list.length)] as T;
    },
    isOnceIn: (draws) => number(draws) === 0,
  };
}
