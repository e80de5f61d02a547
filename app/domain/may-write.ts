// The right to write a text that others read: one decider for making and for changing it. Pure. Each
// act adds its own conditions, such as a turn, a time limit or a role.
import { closedAmong, type HeldSanction, muteAmong, mutedSentence } from "~/domain/safety/sanctions";
import type { TimeReader } from "./days";
import type { Instant } from "./time";

/** The place in which others read the text, with the writer's part in it. */
export type WritingPlace = {
  kind: "session" | "hut";
  /** The writer has the part that the act needs: a seat, a role, a membership. */
  belongs: boolean;
  sanctions: readonly HeldSanction[];
};

/** Always FORBIDDEN. A `muted` person may still log, while nobody else reads the text. */
export type WritingRefusal = { sentence: string; why: "closed" | "outside" | "muted" };

const OUTSIDE = {
  session: "Please join the session first.",
  hut: "Please join this hut first.",
} as const;

/** Null if the person may write there now. */
export function writingRefusalOf(
  person: TimeReader,
  place: WritingPlace,
  now: Instant,
): WritingRefusal | null {
  const closedBan = closedAmong(place.sanctions, now);
  if (closedBan !== null) return { sentence: closedBan, why: "closed" };
  if (!place.belongs) return { sentence: OUTSIDE[place.kind], why: "outside" };
  const mute = muteAmong(place.sanctions, now);
  return mute && { sentence: mutedSentence(mute, mute.place, person), why: "muted" };
}
