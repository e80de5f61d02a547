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
  const index = current ? places.findIndex(({ part }) => part.id === current.id) : -1;
  const nextWaiting = places.slice(index + 1).find(({ part }) => part.state === "waiting");
  if (press === "skip") {
    if (nextWaiting) return [{ type: "start", partId: nextWaiting.part.id }];
    return current && current.state !== "finished" ? [{ type: "finish", partId: current.id }] : [];
  }
  const previous: PartPlace | undefined = current
    ? places[index - 1]
    : places.filter(({ part }) => part.state === "finished").at(-1);
  if (!previous)
    return current
      ? [
          { type: "reset", partId: current.id },
          { type: "start", partId: current.id },
        ]
      : [];
  const place = places[index];
  // In a linked group, resetting a part also resets those after it; elsewhere each is reset separately.
  const isSameGroup = place !== undefined && place.groupIndex === previous.groupIndex && place.group.isLinked;
  return [
    ...(current && !isSameGroup ? [{ type: "reset" as const, partId: current.id }] : []),
    { type: "reset", partId: previous.part.id },
    { type: "start", partId: previous.part.id },
  ];
}
