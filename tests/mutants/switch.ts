// The switch that compiled mutants ask: which one is on, which were reached, and when a loop has gone round too often.

export type Switch = {
  /** The place in the run of the test file that runs now. */
  turn: number;
  active: number;
  /** A bit for each mutant, where a run notes which are reached. */
  reached: Uint8Array | null;
  loops: number;
  /** Mutants that an earlier turn has killed. */
  killed: Set<number>;
};

const everywhere = globalThis as { mutants?: Switch };
everywhere.mutants ??= { turn: -1, active: -1, reached: null, loops: 0, killed: new Set() };
/** Every copy of this module shares it. */
export const shared: Switch = everywhere.mutants;

/** More rounds in a single test than any test takes: a mutant that never ends. */
const MOST_LOOPS = 5_000_000;

export function is(id: number): boolean {
  if (shared.reached) shared.reached[id >> 3] = (shared.reached[id >> 3] ?? 0) | (1 << (id & 7));
  return shared.active === id;
}

export function loop(): void {
  shared.loops += 1;
  if (shared.loops > MOST_LOOPS) throw new Error("This loop has no end.");
}
