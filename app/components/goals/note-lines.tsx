// The lines of a note as boxes: ticked ones move to Done, and back (U-21). Without JavaScript those of Todo have a Save button.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { type LinePlace, linesOf, lineWords, planLines } from "~/domain/goals/note-lines";
import type { Note } from "~/domain/goals/notes";
import { useActionForm } from "~/hooks/use-action-form";
import { useHydrated } from "~/hooks/use-hydrated";

/** Sends one line at a time; the sent one shows its new state until the page has it. */
function useTick(note: Note, from: LinePlace) {
  const [sent, setSent] = useState<string | null>(null);
  const form = useActionForm({
    intent: "note.tick",
    about: { note: note.id, from },
    onDone: () => setSent(null),
    onRefused: () => {
      setSent(null);
      return false;
    },
  });
  const send = (line: string) => {
    if (form.isBusy) return;
    // The form submits the field as it is in the document.
    flushSync(() => setSent(line));
    form.element.current?.requestSubmit();
  };
  return { form, sent, send };
}

type LinesProps = { note: Note; from: "todo" | "done"; title: string; canTick: boolean };

export function NoteLines({ note, from, title, canTick }: LinesProps) {
  const isHydrated = useHydrated();
  const { form, sent, send } = useTick(note, from);
  const lines = linesOf(note[from]);
  if (lines.length === 0) return null;
  const isDone = from === "done";
  const boxes = (
    <>
      <h3 className="text-sm font-semibold text-soft">{title}</h3>
      <ul className={isDone ? "text-soft" : undefined}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal lines are alike, and the next one takes the focus of a ticked one.
          <li key={index} className="wrap-anywhere">
            <Checkbox
              label={lineWords(line)}
              disabled={!canTick || (isDone && !isHydrated)}
              {...(isHydrated
                ? { checked: (line === sent) !== isDone, onChange: () => send(line) }
                : { name: "line", value: line, defaultChecked: isDone })}
            />
          </li>
        ))}
      </ul>
    </>
  );
  if (!canTick) return <div>{boxes}</div>;
  return (
    <ActionForm form={form} aria-label={title}>
      {isHydrated && <input type="hidden" name="line" value={sent ?? ""} />}
      {boxes}
      <FormErrors form={form} />
      <Button type="submit" className="without-script" hidden={isDone}>
        Save
      </Button>
    </ActionForm>
  );
}

const BOX = "input[type=checkbox]";

/** The plan around `children`, whose open boxes can be ticked once the page has hydrated. */
export function PlanBoxes({
  note,
  canTick,
  children,
}: {
  note: Note;
  canTick: boolean;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const { form, sent, send } = useTick(note, "plan");
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    const boxes = [...(place.current?.querySelectorAll<HTMLInputElement>(BOX) ?? [])];
    const lines = planLines(note.content);
    // A plan whose Markdown has other boxes than its page is edited in its form.
    if (!canTick || boxes.length !== lines.length) return;
    const isOver = new AbortController();
    for (const [index, { isDone, words }] of lines.entries()) {
      const box = boxes[index];
      if (!box || isDone) continue;
      box.disabled = false;
      box.ariaLabel = words;
      box.addEventListener("change", () => latest.current(words), { signal: isOver.signal });
    }
    return () => isOver.abort();
  }, [note.content, canTick]);
  // A refused box is open again.
  useEffect(() => {
    if (sent !== null) return;
    const lines = planLines(note.content);
    const boxes = place.current?.querySelectorAll<HTMLInputElement>(BOX) ?? [];
    if (boxes.length === lines.length)
      for (const [index, box] of [...boxes].entries()) box.checked = lines[index]?.isDone === true;
  }, [sent, note.content]);
  return (
    <div ref={place} className="flex flex-col gap-2">
      {children}
      {planLines(note.content).length > 0 && canTick && (
        <ActionForm form={form} aria-label="Plan">
          <input type="hidden" name="line" value={sent ?? ""} />
          <FormErrors form={form} />
          <button type="submit" hidden>
            Save
          </button>
        </ActionForm>
      )}
    </div>
  );
}
