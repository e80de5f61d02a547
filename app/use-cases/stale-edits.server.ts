// An edit that began before a newer save does not replace it unseen.
import { errorAt } from "~/domain/errors";
import { CHANGED_ELSEWHERE, findNewerSave } from "~/domain/stale-edits";

/** CONFLICT with the newer save, at the fields that differ, if there is one (`newerThan`). */
export function refuseStaleEdit(...[stored, typed, since]: Parameters<typeof findNewerSave>): void {
  const newer = findNewerSave(stored, typed, since);
  if (newer) throw errorAt("CONFLICT", CHANGED_ELSEWHERE, newer.fields, newer.newer);
}
