// The largest plans of a session, for tests and benchmarks of full rooms.
import { newPart, newPartGroup, type Part, type PartGroup, type Schedule } from "~/domain/schedule/shape";
import { fitsPlan } from "~/domain/schedule/size";
import { seconds } from "~/domain/time";

/** Parts with `intervals` intervals each, after the groups of `before`. */
export const planOf = (parts: number, intervals: number, before: PartGroup[] = []): Schedule => ({
  groups: [
    ...before,
    newPartGroup("g", {
      parts: Array.from({ length: parts }, (_, n) =>
        newPart(`p${n}`, {
          title: `Part ${n}`,
          intervals: Array.from({ length: intervals }, (_, i) => ({
            id: `i${i}`,
            title: "x",
            duration: seconds(1),
          })),
        }),
      ),
    }),
  ],
});

/** 490 parts, each with the most intervals that fit. */
export function fullPlan(before: PartGroup[] = []): Schedule {
  let intervals = 1;
  while (fitsPlan(planOf(490, intervals + 1, before))) intervals++;
  return planOf(490, intervals, before);
}

/** Five parts of turns that may all run at once. */
export const turnsBeside = (): PartGroup =>
  newPartGroup("turns", {
    isLinked: false,
    isAutoStart: false,
    parts: ["a", "b", "c", "d", "e"].map(
      (id, n): Part =>
        newPart(id, {
          duration: seconds(10),
          isPerParticipant: true,
          ...(n === 0 ? {} : { relativeStart: { startOf: "before-previous-ends", timeFrom: 3600 } }),
        }),
    ),
  });
