// The card of a session or series inside another site (J-11). Pure types.
import type { StageView } from "./stage";
import type { ShownSession } from "./view";

export type EmbedView = Pick<StageView, "look"> & {
  /** The title of the session, otherwise of the series. */
  title: string;
  /** The page that Join opens. */
  path: string;
  session: Pick<
    ShownSession,
    "status" | "startedAt" | "endedAt" | "spotsLeft" | "participantsCount" | "needsCode" | "isCancelled"
  > | null;
};
