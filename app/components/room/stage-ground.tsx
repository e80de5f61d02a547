// The background of a stage in its theme, and the data in its page that the stage's script reads.
import clsx from "clsx";
import type { ReactNode } from "react";
import type { StageView } from "~/domain/sessions/stage";
import type { Shell } from "~/domain/viewer";

export type StageData = { view: StageView; shell: Shell };

/** The id of the stage's element, whose `data-stage` has its data. */
export const STAGE_ID = "stage";

/** Null in a page without a stage. */
export function stageDataIn(page: Document): StageData | null {
  const text = page.getElementById(STAGE_ID)?.dataset.stage;
  return text ? (JSON.parse(text) as StageData) : null;
}

export const StageGround = ({ look, children }: { look: StageView["look"]; children: ReactNode }) => (
  <main
    data-theme={look === "clear" ? "dark" : (look ?? "system")}
    className={clsx("stage-ground", look === "clear" && "is-clear")}
  >
    {children}
  </main>
);

/** The stage of a series that has no session at present. */
export const StageRest = ({ view }: { view: StageView }) => (
  <div className="stage-screen">
    <h1 className="stage-title">{view.title}</h1>
    <p className="stage-over">{view.rest ?? "The next date is not planned yet."}</p>
  </div>
);
