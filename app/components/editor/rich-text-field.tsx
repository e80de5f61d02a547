// A rich text in a form (D-01, D-03): a plain text area of Markdown without JavaScript and until the editor has come,
// then the editor over it. Either way one field named `name` is sent, holding Markdown.
import { type ComponentType, type MouseEvent, useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Field, type FieldError, useFieldWiring } from "~/components/ui/field";
import { Notice } from "~/components/ui/notice";
import { plainFromLine } from "~/domain/markdown-bounds";
import { useDraft } from "~/hooks/use-draft";
import { FormattingEnd } from "./formatting-end";
import type { RichTextEditorProps } from "./rich-text-editor.client";

export type RichTextFieldProps = {
  name: string;
  label: string;
  defaultValue?: string;
  /** What the server keeps, where the field shows something else: a refused form's text is not saved yet. */
  saved?: string;
  error?: FieldError;
  hint?: string;
  isRequired?: boolean;
  isLabelHidden?: boolean;
  /** Keeps what is typed in this browser under this key until the form was taken. */
  draftKey?: string;
  /** What the uploaded images belong to, as it stands in their call's path. */
  about?: string;
  rows?: number;
  /** Where it stands on a page that is mostly read: the editor comes once one begins to write. */
  loadsOnFocus?: boolean;
  onChange?: (markdown: string) => void;
};

export function RichTextField(props: RichTextFieldProps) {
  const { label, error, hint, isRequired, isLabelHidden } = props;
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      isRequired={isRequired ?? false}
      isLabelHidden={isLabelHidden ?? false}
    >
      <RichText {...props} />
    </Field>
  );
}

const setText = (area: HTMLTextAreaElement, text: string): void => {
  if (area.value === text) return;
  // The browser's own setter, so that React hears of it.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(area, text);
  area.dispatchEvent(new Event("input", { bubbles: true }));
};

const surfaceIn = (box: HTMLElement | null): HTMLElement | null | undefined =>
  box?.querySelector<HTMLElement>("[contenteditable]");

function RichText(props: RichTextFieldProps) {
  const { name, label, defaultValue = "", saved = defaultValue, draftKey, about = "text", rows = 6 } = props;
  const wired = useFieldWiring<{ id?: string; "aria-describedby"?: string; "aria-invalid"?: boolean }>({});
  const area = useRef<HTMLTextAreaElement>(null);
  const [isWanted, setIsWanted] = useState(!props.loadsOnFocus);
  const [Editor, setEditor] = useState<ComponentType<RichTextEditorProps> | null>(null);
  const [isSource, setIsSource] = useState(false);
  const [isChanged, setIsChanged] = useState(defaultValue !== saved);
  const [plainFrom, setPlainFrom] = useState(() => plainFromLine(defaultValue));
  /** Counts what was put into the area from elsewhere: the editor then reads it anew. */
  const [givenAnew, setGivenAnew] = useState(0);
  const draft = useDraft<string>({
    about: draftKey,
    place: area,
    read: () => area.current?.value ?? "",
    isSaved: (typed) => typed.trim() === saved.trim(),
  });
  const [isReady, setIsReady] = useState(false);
  const isRich = isReady && !isSource;

  useEffect(() => {
    if (!isWanted) return;
    let isHere = true;
    import("./rich-text-editor.client").then(
      (loaded) => isHere && setEditor(() => loaded.RichTextEditor),
      // Without the editor the area stays: nothing is lost.
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [isWanted]);

  // What the server gave came anew (saved, or another text): it stands unless one is in the middle of writing.
  const given = useRef(saved);
  useEffect(() => {
    const { current } = area;
    if (!current || given.current === saved) return;
    if (current.value === given.current || current.value === saved) {
      setText(current, saved);
      setIsChanged(false);
      setGivenAnew((count) => count + 1);
    }
    given.current = saved;
  }, [saved]);

  // A draft in a folded part of the form is not passed by.
  useEffect(() => {
    if (draft.found !== null) area.current?.closest("details")?.setAttribute("open", "");
  }, [draft.found]);

  const { forget } = draft;
  useEffect(() => {
    const form = area.current?.form;
    if (!form) return;
    const reset = () =>
      // The browser resets the area after this event.
      setTimeout(() => {
        forget();
        setIsChanged(false);
        setPlainFrom(plainFromLine(area.current?.value ?? ""));
        setGivenAnew((count) => count + 1);
      });
    form.addEventListener("reset", reset);
    return () => form.removeEventListener("reset", reset);
  }, [forget]);

  // A word that an input method is composing would be cut off: the area stays until it is done.
  const isComposing = useRef(false);
  const whenComposed = (then: () => void) => {
    if (!isComposing.current) return then();
    area.current?.addEventListener("compositionend", () => setTimeout(then), { once: true });
  };

  const typed = () => {
    const text = area.current?.value ?? "";
    const isNew = text !== given.current;
    setIsChanged(isNew);
    setPlainFrom(plainFromLine(text));
    if (isNew) draft.keep();
    else forget();
    draft.hide();
    props.onChange?.(text);
  };
  const restore = () => {
    if (!area.current || draft.found === null) return;
    setText(area.current, draft.found.typed);
    setGivenAnew((count) => count + 1);
    draft.hide();
    const field = area.current;
    setTimeout(() => (isRich ? surfaceIn(field.parentElement) : field)?.focus());
  };
  // A label cannot name an editor: a press on it leads there all the same.
  const toEditor = (event: MouseEvent<HTMLDivElement>) => {
    if (isRich && event.target === event.currentTarget) surfaceIn(event.currentTarget)?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a bigger target for the same place.
    <div className="rich-text" data-changed={isChanged || undefined} onClick={toEditor}>
      {draft.found !== null && (
        <Notice
          title="There is a draft of yours from earlier."
          action={
            <span className="flex gap-2">
              <Button onClick={restore}>Restore</Button>
              <Button variant="ghost" onClick={forget}>
                Discard
              </Button>
            </span>
          }
        />
      )}
      {Editor && (
        <Editor
          area={area}
          label={label}
          fieldId={wired.id}
          describedBy={wired["aria-describedby"]}
          isInvalid={wired["aria-invalid"] === true}
          isRequired={props.isRequired ?? false}
          about={about}
          givenAnew={givenAnew}
          isSource={isSource}
          isReady={isReady}
          onReady={() => setIsReady(true)}
          whenComposed={whenComposed}
          onSource={setIsSource}
          onText={(text) => area.current && setText(area.current, text)}
        />
      )}
      <textarea
        ref={area}
        name={name}
        defaultValue={defaultValue}
        rows={rows}
        hidden={isRich}
        onInput={typed}
        onCompositionStart={() => {
          isComposing.current = true;
        }}
        onCompositionEnd={() => {
          isComposing.current = false;
        }}
        onFocus={() => setIsWanted(true)}
        className="control"
        {...(isRich ? { "aria-hidden": true } : wired)}
        placeholder={Editor === null ? "Markdown works here." : undefined}
      />
      <FormattingEnd plainFrom={plainFrom} />
      <p className="text-sm text-soft" aria-live="polite">
        {isChanged ? (draftKey ? "Changed. Kept in this browser until you save." : "Changed.") : ""}
      </p>
    </div>
  );
}
