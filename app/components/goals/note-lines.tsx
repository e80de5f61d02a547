// The lines of a note as checkboxes. A tick moves a line from Todo to Done, or back (U-21).
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { type LinePlace, linesOf, lineWords, planLines } from "~/domain/goals/note-lines";
import type { Note } from "~/domain/goals/notes";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useHydrated } from "~/hooks/use-hydrated";

/**
 * Ticked lines show their new state until the page's data has it. Each request waits for the answer to the one before
 * it.
 */
function useLineTicks(note: Note, from: LinePlace) {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [sentLines, setSentLines] = useState<readonly string[]>([]);
  const isSending = sentLines.length > 0;
  const form = useActionForm({
    intent: "note.tick",
    hiddenFields: { note: note.id, from },
    onDone: () => {
      setTicked((current) => current.slice(sentLines.length));
      setSentLines([]);
    },
    onRefused: () => {
      setTicked([]);
      setSentLines([]);
      return false;
    },
  });
  useEffect(() => {
    if (!isSending && !form.isBusy && ticked.length > 0) setSentLines(ticked);
  }, [isSending, form.isBusy, ticked]);
  const { element } = form;
  useEffect(() => {
    if (sentLines.length > 0) element.current?.requestSubmit();
  }, [sentLines, element]);
  const fields = sentLines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: equal lines are alike.
    <input key={index} type="hidden" name="line" value={line} />
  ));
  return { form, ticked, fields, tick: (line: string) => setTicked((current) => [...current, line]) };
}

type LinesProps = { note: Note; from: "todo" | "done"; title: string; canTick: boolean };

export function NoteLines({ note, from, title, canTick }: LinesProps) {
  const isHydrated = useHydrated();
  const { form, ticked, fields, tick } = useLineTicks(note, from);
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
                ? { checked: ticked.includes(line) !== isDone, onChange: () => tick(line) }
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
      {fields}
      {boxes}
      <FormErrors form={form} />
      <Button type="submit" className="without-script" hidden={isDone}>
        Save
      </Button>
    </ActionForm>
  );
}

const CHECKBOX = "input[type=checkbox]";

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
  const plan = useRef<HTMLDivElement>(null);
  const { form, ticked, fields, tick } = useLineTicks(note, "plan");
  const latest = useRef(tick);
  latest.current = tick;
  useEffect(() => {
    const boxes = [...(plan.current?.querySelectorAll<HTMLInputElement>(CHECKBOX) ?? [])];
    const lines = planLines(note.content);
    // Boxes that do not match the lines of the Markdown cannot be ticked. The plan is then edited in its form.
    if (!canTick || boxes.length !== lines.length) return;
    const cleanup = new AbortController();
    for (const [index, { isDone, words }] of lines.entries()) {
      const box = boxes[index];
      if (!box || isDone) continue;
      box.disabled = false;
      box.ariaLabel = words;
      box.addEventListener("change", () => latest.current(words), { signal: cleanup.signal });
    }
    return () => cleanup.abort();
  }, [note.content, canTick]);
  // A refused box is open again, and one that waits stays ticked in the new HTML.
  useEffect(() => {
    const lines = planLines(note.content);
    const boxes = plan.current?.querySelectorAll<HTMLInputElement>(CHECKBOX) ?? [];
    if (boxes.length !== lines.length) return;
    for (const [index, { isDone, words }] of lines.entries()) {
      const box = boxes[index];
      if (box) box.checked = isDone || ticked.includes(words);
    }
  }, [ticked, note.content]);
  return (
    <div ref={plan} className="flex flex-col gap-2">
      {children}
      {planLines(note.content).length > 0 && canTick && (
        <ActionForm form={form} aria-label="Plan">
          {fields}
          <FormErrors form={form} />
          <button type="submit" hidden>
            Save
          </button>
        </ActionForm>
      )}
    </div>
  );
}
