// The stage behind a view link, whose code stays in the fragment until the page posts it (J-10). Without a code it
// shows no session, so that nobody learns which sessions exist.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { MadeFor } from "~/components/form/made-for";
import { POSTED_STAGE_HANDLE } from "~/components/layout/stage-handle";
import { stageMeta } from "~/components/room/stage-meta";
import { StillStage } from "~/components/room/still-stage";
import type { StageView } from "~/domain/sessions/stage";
import { StageChoiceInput, ViewLinkInput } from "~/forms/sessions/stage";
import { usePosted } from "~/hooks/form/use-posted";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { viewNoStage } from "~/use-cases/sessions/stage.server";
import { viewLinked } from "~/use-cases/sessions/view-links.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewNoStage, { input: StageChoiceInput });

export const action = (args: ActionFunctionArgs) =>
  act(args, { view: on(ViewLinkInput, viewLinked, { rendersResult: true }) });

export const meta: MetaFunction = (args) => stageMeta({ ...args, data: undefined });
export const handle = POSTED_STAGE_HANDLE;

export default function View() {
  const choice = useLoaderData<typeof loader>();
  const posted = usePosted();
  const view: StageView = posted?.ok
    ? (posted.result as StageView)
    : { ...choice, title: "A stage", stage: null, rest: posted ? posted.message : "Open it by its link." };
  // The page loads the stage's own script, so the browser's bundle leaves the stage out.
  return import.meta.env.SSR ? (
    <StillStage view={view}>
      {view.stage !== null ? (
        <noscript>
          <p className="stage-plan">Reload this page to see changes.</p>
        </noscript>
      ) : (
        <noscript>
          <form method="post" className="stage-plan">
            <MadeFor />
            <label>
              The part of the link after # <input name="code" dir="ltr" autoComplete="off" required />
            </label>{" "}
            <button type="submit">Show the stage</button>
          </form>
        </noscript>
      )}
    </StillStage>
  ) : null;
}
