// Stores unsaved ticks of a checklist in the browser. With them go the ticks that the server last sent, so that ticks from
// elsewhere stay, and the account, because no other account may send them.
type StoredTicks = {
  ticked: string[];
  base: string;
  /** The outbox has these ticks and sends them (W-05). */
  isHeld?: boolean;
};

export const ticksKey = (goalId: number) => `bothy:ticks:${goalId}`;

/** Stores the ticks of a goal; null removes them. */
export function storeTicks(goalId: number, username: string, ticks: StoredTicks | null): void {
  try {
    if (ticks) localStorage.setItem(ticksKey(goalId), JSON.stringify({ ...ticks, by: username }));
    else localStorage.removeItem(ticksKey(goalId));
  } catch {
    // Without storage, the ticks exist only in this page.
  }
}

/** The stored ticks of a goal; null if there are none, or if they are another account's. */
export function readStoredTicks(goalId: number, username: string): StoredTicks | null {
  try {
    const ticks = JSON.parse(localStorage.getItem(ticksKey(goalId)) ?? "null") as
      | (StoredTicks & { by?: string })
      | null;
    return Array.isArray(ticks?.ticked) && typeof ticks.base === "string" && ticks.by === username
      ? ticks
      : null;
  } catch {
    return null;
  }
}

/**
 * Applies the ticks that an earlier page stored to the server's ticks. A line that the page did not change since `base`
 * stays as the server has it.
 */
export const mergeTicks = (
  { ticked, base }: { ticked: readonly string[]; base: readonly string[] },
  checkedUuids: readonly string[],
): string[] => [
  ...ticked.filter((uuid) => !base.includes(uuid)),
  ...checkedUuids.filter((uuid) => ticked.includes(uuid) || !base.includes(uuid)),
];
