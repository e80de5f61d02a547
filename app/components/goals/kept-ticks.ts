// Ticks of a checklist that wait in the browser, in case it closes offline. The ticks that the page last knew are stored
// with them, so that ticks from elsewhere stay, and so is the account, because no other may send them.
type KeptTicks = {
  ticked: string[];
  base: string;
  /** The outbox has these ticks and sends them (W-05). */
  isHeld?: boolean;
};

export const keyOf = (goalId: number) => `bothy:ticks:${goalId}`;

/** Stores the ticks of a goal; null removes them. */
export function keepTicks(goalId: number, by: string, ticks: KeptTicks | null): void {
  try {
    if (ticks) localStorage.setItem(keyOf(goalId), JSON.stringify({ ...ticks, by }));
    else localStorage.removeItem(keyOf(goalId));
  } catch {
    // Without storage only the page holds them.
  }
}

/** The stored ticks of a goal; null if there are none, or if they are another account's. */
export function keptTicks(goalId: number, by: string): KeptTicks | null {
  try {
    const ticks = JSON.parse(localStorage.getItem(keyOf(goalId)) ?? "null") as
      | (KeptTicks & { by?: string })
      | null;
    return Array.isArray(ticks?.ticked) && typeof ticks.base === "string" && ticks.by === by ? ticks : null;
  } catch {
    return null;
  }
}

/**
 * Applies the ticks that a page left to the present ones: a line that it did not change since `base` stays as it is
 * (R-69).
 */
export const ticksAgain = (
  { ticked, base }: { ticked: readonly string[]; base: readonly string[] },
  checked: readonly string[],
): string[] => [
  ...ticked.filter((uuid) => !base.includes(uuid)),
  ...checked.filter((uuid) => ticked.includes(uuid) || !base.includes(uuid)),
];
