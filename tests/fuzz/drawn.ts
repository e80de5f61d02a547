// Draws from lists that a seed repeats.
import { randomOf } from "../long/random.mjs";

export type Draw = {
  /** From 0 to below `limit`. */
  number(limit: number): number;
  one<T>(list: readonly T[]): T;
  /** True once in so many draws. */
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
