// A stage as the server renders it: its screen, the plan without JavaScript (J-13), and the script that makes it live.
import type { ReactNode } from "react";
import { Time } from "~/components/ui/time";
import { partsInOrder } from "~/domain/schedule/shape";
import type { StageOfSession, StageView } from "~/domain/sessions/stage";
import { spokenSpan } from "~/domain/spoken-span";
import { SECOND } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { roomOfPage, withPeopleOf } from "./live-context";
import { OpenStage } from "./open-stage";
import { STAGE_ID, type StageData, StageGround, StageRest } from "./stage-ground";
import { maskHiddenParts } from "./stage-reading";

/** The script is a build of its own, without the scripts of the other pages (app/entry.stage.tsx). */
const SCRIPT = "/stage.js";

export function StillStage({ view, children }: { view: StageView; children?: ReactNode }) {
  const shell = useShell();
  const data: StageData = { view, shell };
  const { stage } = view;
  return (
    <>
      <div id={STAGE_ID} data-stage={JSON.stringify(data)}>
        <StageGround look={view.look}>
          {stage ? <Screen view={view} stage={stage} /> : <StageRest view={view} />}
        </StageGround>
      </div>
      {children}
      <script type="module" src={SCRIPT} />
    </>
  );
}

function Screen({ view, stage }: { view: StageView; stage: StageOfSession }) {
  const { session, mayRead } = stage;
  const page = roomOfPage(stage);
  const room = withPeopleOf(page, page, { mayRead, isJoined: false, needsCode: session.needsCode });
  return (
    <>
      <OpenStage room={room} parts={view.parts} qr={stage.qr} />
      <noscript>
        <Plan stage={stage} />
      </noscript>
    </>
  );
}

function Plan({ stage: { session } }: { stage: StageOfSession }) {
  const parts = partsInOrder(maskHiddenParts(session.schedule, false));
  return (
    <div className="stage-plan">
      <p>
        {session.startedAt === null ? (
          "The host starts this session."
        ) : (
          <Time at={session.startedAt} look="full" />
        )}
        {session.endedAt !== null && (
          <>
            {" to "}
            <Time at={session.endedAt} look="time" />
          </>
        )}
      </p>
      <ol aria-label="The plan">
        {parts.map((part) => (
          <li key={part.id}>
            {part.startedAt !== null && (
              <>
                <Time at={part.startedAt} look="time" />{" "}
              </>
            )}
            {part.title || "Timer"}, {spokenSpan(part.duration * SECOND)}
          </li>
        ))}
      </ol>
    </div>
  );
}
