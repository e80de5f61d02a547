// Refuses an edit that began before a newer save, so that nobody replaces a text that they have not seen.
import { errorAt } from "~/domain/errors";
import { CHANGED_ELSEWHERE, findNewerSave } from "~/domain/stale-edits";

/** CONFLICT with the newer save, at the fields in which the edit differs from it; returns if no newer save differs. */
export function refuseStaleEdit(...[stored, typed, since]: Parameters<typeof findNewerSave>): void {
  const newer = findNewerSave(stored, typed, since);
  if (newer) throw errorAt("CONFLICT", CHANGED_ELSEWHERE, newer.fields, newer.newer);
}
