// Translates the host's skip and back buttons into the documented calls. Pure.
import { type Part, type PartPlace, partPlaces, type Schedule } from "./shape";

export type PartOrder =
  | { type: "start" | "pause" | "resume" | "finish" | "reset"; partId: string }
  | { type: "adjust"; partId: string; seconds: number }
  /** `speaker`: the person whose turn the host sees. */
  | { type: "next"; partId: string; speaker: string }
  | { type: "end-round"; partId: string };

/** The calls for skipping and going back, from the running or awaited part. */
export function ordersOf(press: "skip" | "back", schedule: Schedule, current: Part | null): PartOrder[] {
  const places = partPlaces(schedule);
  const at = current ? places.findIndex(({ part }) => part.id === current.id) : -1;
  const later = places.slice(at + 1).find(({ part }) => part.state === "waiting");
  if (press === "skip") {
    if (later) return [{ type: "start", partId: later.part.id }];
    return current && current.state !== "finished" ? [{ type: "finish", partId: current.id }] : [];
  }
  const before: PartPlace | undefined = current
    ? places[at - 1]
    : places.filter(({ part }) => part.state === "finished").at(-1);
  if (!before)
    return current
      ? [
          { type: "reset", partId: current.id },
          { type: "start", partId: current.id },
        ]
      : [];
  const place = places[at];
  // In a linked group, resetting a part also resets those after it; elsewhere each is reset separately.
  const isSameGroup = place !== undefined && place.groupIndex === before.groupIndex && place.group.isLinked;
  return [
    ...(current && !isSameGroup ? [{ type: "reset" as const, partId: current.id }] : []),
    { type: "reset", partId: before.part.id },
    { type: "start", partId: before.part.id },
  ];
}
