// The texts of a session: content, contributions, summary; editable while allowed, live for everybody.

import { Link, useSearchParams } from "@remix-run/react";
import { startTransition, useRef, useState } from "react";
import { Section } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { Button } from "~/components/ui/button";
import { FoldedProse } from "~/components/ui/prose";
import { beginningOf } from "~/domain/beginnings";
import { withContributions } from "~/domain/sessions/texts";
import type { ShownSession } from "~/domain/sessions/view";
import { useInlineEdit } from "~/hooks/form/use-inline-edit";
import type { ActResult } from "~/wire/act";
import { Contributions } from "./contributions";
import { SummariseButton } from "./summarise-button";
import { EditTexts, type EditTextsProps } from "./text-forms";

type SessionTextsProps = EditTextsProps["rights"] & {
  session: Pick<ShownSession, "slug" | "path">;
  isJoined: boolean;
  /** The session has ended; until its end the stage shows the prompt. */
  isOver: boolean;
  /** The answer to a submit without JavaScript. */
  posted: ActResult | undefined;
};

const EDIT_QUERY = "?edit=texts";

export function SessionTexts(props: SessionTextsProps) {
  const { session, isJoined, isOver, mayEditContent, mayEditPrompt, posted } = props;
  const room = useLive("room");
  const mayEdit = mayEditContent || mayEditPrompt;
  // Without JavaScript the URL opens the form.
  const [query, setQuery] = useSearchParams();
  const editing = useInlineEdit(query.get("edit") === "texts");
  // The form outlives the part that allowed it, so that typed text is not lost.
  const rightsAtOpening = useRef<EditTextsProps["rights"] | null>(null);
  if (!editing.isEditing) rightsAtOpening.current = null;
  else if (mayEdit) rightsAtOpening.current ??= { mayEditContent, mayEditPrompt };
  const close = () => {
    editing.setEditing(false);
    if (query.has("edit")) setQuery({}, { preventScrollReset: true, replace: true });
  };
  const { contributions } = room;
  const prompt = isOver ? room.prompt : "";
  const isEmpty =
    room.contentHtml === "" && prompt === "" && room.summary === "" && contributions.length === 0;
  if (isEmpty && !mayEdit && !rightsAtOpening.current) return null;
  return (
    <Section
      title="About"
      actions={
        mayEdit && !editing.isEditing ? (
          <Button asChild variant="ghost" className="-me-4 forced-colors:me-0">
            <Link
              ref={editing.pencil}
              to={EDIT_QUERY}
              preventScrollReset
              onClick={(event) => {
                event.preventDefault();
                startTransition(() => editing.setEditing(true));
              }}
            >
              <Icon name="edit" />
              Edit
            </Link>
          </Button>
        ) : null
      }
    >
      {rightsAtOpening.current ? (
        <EditTexts
          session={session}
          rights={rightsAtOpening.current}
          posted={posted}
          takesFocus={editing.isOpenedByPress}
          onDone={close}
        />
      ) : (
        <>
          {isEmpty && <p className="text-soft">There is no description yet.</p>}
          {prompt && <p className="text-prompt">{prompt}</p>}
          <FoldedProse html={room.contentHtml} />
        </>
      )}
      <Contributions contributions={contributions} />
      <Summary session={session} maySummarise={isJoined && (!isEmpty || editing.isEditing)} />
    </Section>
  );
}

const plainWords = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
/** False for a summary that only repeats the beginning of the content, so that the page shows it once. Pure. */
export const addsText = (summary: string, content: string): boolean =>
  summary !== "" && !plainWords(content).startsWith(beginningOf(plainWords(summary), 200));

function Summary({ session, maySummarise }: { session: Pick<ShownSession, "slug">; maySummarise: boolean }) {
  const room = useLive("room");
  const [newSummary, setNewSummary] = useState<string | null>(null);
  const summary = addsText(room.summary, withContributions(room).content) ? room.summary : newSummary;
  if (!summary && !maySummarise) return null;
  return (
    <div className="flex flex-col gap-2">
      {summary && (
        <div className="max-w-[70ch] rounded-md bg-sunken p-4" aria-live="polite">
          <p className="text-sm font-semibold text-soft">Summary</p>
          <p className="whitespace-pre-line">{summary}</p>
        </div>
      )}
      {maySummarise && (
        <div className="needs-script min-h-11">
          <SummariseButton slug={session.slug} isAgain={Boolean(summary)} onMade={setNewSummary} />
        </div>
      )}
    </div>
  );
}
