// A note in a list. Double-click, the pencil, or Enter on the card opens its form (U-21).

import { Link } from "@remix-run/react";
import type { KeyboardEvent, MouseEvent } from "react";
import { CancelEditButton } from "~/components/form/cancel-edit";
import { Card } from "~/components/ui/card";
import { FoldedProse } from "~/components/ui/prose";
import { Time } from "~/components/ui/time";
import type { NoteShown } from "~/domain/goals/notes";
import { isEnter } from "~/hooks/form/enter-key";
import { useInlineEdit } from "~/hooks/form/use-inline-edit";
import { NoteForm } from "./note-form";
import { NoteLines, PlanBoxes } from "./note-lines";
import { RowTools } from "./row-tools";

type Props = { note: NoteShown; canEdit: boolean; startsEditing?: boolean; showsGoal?: boolean };

export function NoteCard({ note, canEdit, startsEditing = false, showsGoal = false }: Props) {
  const { isEditing, setEditing, pencil, isOpenedByPress } = useInlineEdit(startsEditing);
  const edit = () => canEdit && setEditing(true);
  const openByMouse = ({ target }: MouseEvent) => {
    // Two quick ticks are no double-click on the note.
    if (!(target instanceof Element && target.closest("label, input"))) edit();
  };
  const openByKey = (event: KeyboardEvent) => {
    if (!isEnter(event) || event.target !== event.currentTarget) return;
    event.preventDefault();
    edit();
  };
  if (isEditing)
    return (
      <Card as="li">
        <NoteForm
          note={note}
          takesFocus={isOpenedByPress}
          onDone={() => setEditing(false)}
          cancel={<CancelEditButton onCancel={() => setEditing(false)} />}
        />
      </Card>
    );
  return (
    <li>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter is the keyboard's double-click; the pencil labels the action. */}
      <div
        onDoubleClick={openByMouse}
        onKeyDown={openByKey}
        tabIndex={canEdit ? 0 : undefined}
        className="rounded-lg"
      >
        <Card as="article" className="flex flex-col gap-3">
          <div className="flex flex-wrap items-start gap-x-3">
            <div className="min-w-0 flex-1 basis-36">
              {note.title && <h2 className="text-lg">{note.title}</h2>}
              <p className="flex flex-wrap gap-x-3 text-sm text-soft">
                <Time at={note.createdAt} />
                {showsGoal && note.goalId !== null && note.goalTitle !== null && (
                  <Link to={`/my/goals/${note.goalId}/notes`} className="underline-offset-4 hover:underline">
                    {note.goalTitle}
                  </Link>
                )}
              </p>
            </div>
            {canEdit && (
              <RowTools
                noun="note"
                id={note.id}
                onEdit={edit}
                pencil={pencil}
                warning="This cannot be undone."
                className="flex shrink-0"
              />
            )}
          </div>
          {note.contentHtml && (
            <PlanBoxes note={note} canTick={canEdit}>
              <FoldedProse html={note.contentHtml} />
            </PlanBoxes>
          )}
          {(note.todo || note.done) && (
            <div className="grid gap-4 sm:grid-cols-2">
              <NoteLines note={note} from="todo" title="Todo" canTick={canEdit} />
              <NoteLines note={note} from="done" title="Done" canTick={canEdit} />
            </div>
          )}
        </Card>
      </div>
    </li>
  );
}
