// An edit that began before a newer save does not replace it unseen.
import { errorAt } from "~/domain/errors";
import { CHANGED_ELSEWHERE, newerThan } from "~/domain/newer";

/** CONFLICT with the newer save, at the fields that differ, if there is one (`newerThan`). */
export function refuseOver(...[stored, typed, since]: Parameters<typeof newerThan>): void {
  const newer = newerThan(stored, typed, since);
  if (newer) throw errorAt("CONFLICT", CHANGED_ELSEWHERE, newer.fields, newer.newer);
}
