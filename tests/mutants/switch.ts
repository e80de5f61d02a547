// The switch in compiled mutants: which mutant is on, which were reached, and whether a loop runs forever.

export type Switch = {
  /** The index of the current turn. */
  turn: number;
  active: number;
  /** A bit per mutant, set when it is reached; null when coverage is not recorded. */
  reached: Uint8Array | null;
  loops: number;
  /** Mutants that an earlier turn has killed. */
  killed: Set<number>;
};

const everywhere = globalThis as { mutants?: Switch };
everywhere.mutants ??= { turn: -1, active: -1, reached: null, loops: 0, killed: new Set() };
/** Every copy of this module shares it. */
export const shared: Switch = everywhere.mutants;

/** No test loops this often: the mutant loops forever. */
const MOST_LOOPS = 5_000_000;

export function is(id: number): boolean {
  if (shared.reached) shared.reached[id >> 3] = (shared.reached[id >> 3] ?? 0) | (1 << (id & 7));
  return shared.active === id;
}

export function loop(): void {
  shared.loops += 1;
  if (shared.loops > MOST_LOOPS) throw new Error("This loop has no end.");
}
