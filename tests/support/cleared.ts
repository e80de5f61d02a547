// The link between a support function that clears tables for the next test and the bystanders, whose rows it may take.
let look: () => Promise<void> = async () => {};

/** Null listens to nothing. */
export function onCleared(listen: (() => Promise<void>) | null): void {
  look = listen ?? (async () => {});
}
export const cleared = (): Promise<void> => look();
