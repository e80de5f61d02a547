// An event as a use case records it, before it becomes notices (N-01).
import type { Instant } from "~/domain/time";
import type { EventBodies, EventKind } from "./events";

export type NewEvent<K extends EventKind = EventKind> = {
  [E in K]: {
    id: string;
    kind: E;
    subject: string;
    /** The user who acts: never a recipient. Null for the clock. */
    actorId: number | null;
    /** Lists of ids may be missing here; `recordEvent` then gets them as `idLists`. */
    body: Partial<EventBodies[E]>;
    at: Instant;
  };
}[K];
