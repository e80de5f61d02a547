// A rich-text field (D-01, D-03). Without JavaScript, and until the editor has loaded, it is a text area of Markdown.
import clsx from "clsx";
import { type ComponentType, type MouseEvent, startTransition, useEffect, useRef, useState } from "react";
import { DraftNotice } from "~/components/form/draft-notice";
import { Field, type FieldError, useFieldWiring } from "~/components/ui/field";
import { plainFromLine } from "~/domain/markdown-bounds";
import { useDraft } from "~/hooks/form/use-draft";
import { FormattingEnd } from "./formatting-end";
import type { Replacement, RichTextEditorProps } from "./rich-text-editor.client";

export type RichTextFieldProps = {
  name: string;
  label: string;
  defaultValue?: string;
  /** The stored text, if it differs from `defaultValue`, which after a refusal is the text of the refused form. */
  saved?: string;
  error?: FieldError;
  hint?: string;
  isRequired?: boolean;
  isLabelHidden?: boolean;
  /** Stores a draft in this browser under this key until the form is accepted. */
  draftKey?: string;
  /** True if the form keeps a draft of all its fields. */
  isDrafted?: boolean;
  /** The owner of uploaded images, as in the path of their call. */
  imageOwner?: string;
  rows?: number;
  /** Loads the editor on focus, on pages that are mostly read. */
  loadsOnFocus?: boolean;
  onChange?: (markdown: string) => void;
};

type EditorModule = typeof import("./rich-text-editor.client");
let loadingModule: Promise<EditorModule> | null = null;
/** Fields share an import: a second one would not wait for the styles that the first has begun to load. */
const loadEditor = (): Promise<EditorModule> => {
  loadingModule ??= import("./rich-text-editor.client").catch((error: unknown) => {
    loadingModule = null;
    throw error;
  });
  return loadingModule;
};

/**
 * Reserves the height of the toolbar. With it, and the height of the surface, nothing below moves when the editor
 * arrives.
 */
const ToolbarPlaceholder = () => <div className="needs-script h-22 sm:h-11" aria-hidden="true" />;

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
  // React notices a new value only through the native setter.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(area, text);
  area.dispatchEvent(new Event("input", { bubbles: true }));
};

const surfaceIn = (box: HTMLElement | null): HTMLElement | null | undefined =>
  box?.querySelector<HTMLElement>("[contenteditable]");

/** Loads the editor once it is wanted. Returns null before it has loaded. */
function useLoadedEditor(
  isWanted: boolean,
  setIsWanted: (isWanted: boolean) => void,
): ComponentType<RichTextEditorProps> | null {
  const [Editor, setEditor] = useState<ComponentType<RichTextEditorProps> | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isMounted = true;
    loadEditor().then(
      // A transition, so that rendering the tools gives way to presses.
      (module) => isMounted && startTransition(() => setEditor(() => module.RichTextEditor)),
      // The text area stays, and its next focus loads the editor again.
      () => isMounted && setIsWanted(false),
    );
    return () => {
      isMounted = false;
    };
  }, [isWanted, setIsWanted]);
  return Editor;
}

function RichText(props: RichTextFieldProps) {
  const {
    name,
    label,
    defaultValue = "",
    saved = defaultValue,
    draftKey,
    imageOwner = "text",
    rows = 6,
  } = props;
  const wired = useFieldWiring<{ id?: string; "aria-describedby"?: string; "aria-invalid"?: boolean }>({});
  const area = useRef<HTMLTextAreaElement>(null);
  const [isWanted, setIsWanted] = useState(!props.loadsOnFocus);
  const Editor = useLoadedEditor(isWanted, setIsWanted);
  const [isSource, setIsSource] = useState(false);
  const [isChanged, setIsChanged] = useState(defaultValue !== saved);
  const [plainFrom, setPlainFrom] = useState(() => plainFromLine(defaultValue));
  /** The last text from outside the editor, such as a restored draft. The editor takes it over. */
  const [replacement, setReplacement] = useState<Replacement | null>(null);
  const draft = useDraft<string>({
    name: draftKey,
    element: area,
    read: () => area.current?.value ?? "",
    isSaved: (typed) => typed.trim() === saved.trim(),
  });
  const isDrafted = props.isDrafted ?? draftKey !== undefined;
  const [isReady, setIsReady] = useState(false);
  const isRich = isReady && !isSource;

  // New server values replace the text unless the user is editing.
  const lastSaved = useRef(saved);
  useEffect(() => {
    const { current } = area;
    if (!current || lastSaved.current === saved) return;
    if (current.value === lastSaved.current || current.value === saved) {
      setText(current, saved);
      setIsChanged(false);
      setReplacement({ text: saved });
    }
    lastSaved.current = saved;
  }, [saved]);

  // A draft opens the fold that contains its field.
  useEffect(() => {
    if (draft.stored !== null) area.current?.closest("details")?.setAttribute("open", "");
  }, [draft.stored]);

  const { forget } = draft;
  useEffect(() => {
    const form = area.current?.form;
    if (!form) return;
    const reset = () =>
      // The browser resets the text area after this event.
      setTimeout(() => {
        const { current } = area;
        const text = current?.defaultValue ?? "";
        // The editor reports its last change with a delay, possibly just after the reset.
        if (current) setText(current, text);
        forget();
        setIsChanged(false);
        setPlainFrom(plainFromLine(text));
        setReplacement({ text });
      });
    form.addEventListener("reset", reset);
    return () => form.removeEventListener("reset", reset);
  }, [forget]);

  // The text area stays until an input method has composed its text, because replacing it would cut the text off.
  const isComposing = useRef(false);
  const whenComposed = (callback: () => void) => {
    if (!isComposing.current) return callback();
    area.current?.addEventListener("compositionend", () => setTimeout(callback), { once: true });
  };

  const onInput = () => {
    const text = area.current?.value ?? "";
    const isUnsaved = text !== lastSaved.current;
    setIsChanged(isUnsaved);
    setPlainFrom(plainFromLine(text));
    if (isUnsaved) draft.keep();
    else forget();
    draft.hide();
    props.onChange?.(text);
  };
  const restore = () => {
    if (!area.current || draft.stored === null) return;
    setText(area.current, draft.stored.typed);
    setReplacement({ text: draft.stored.typed });
    draft.hide();
    const field = area.current;
    // The editor may replace the text area in between.
    setTimeout(() => (field.hidden ? surfaceIn(field.parentElement) : field)?.focus());
  };
  // A label cannot refer to an editor, so a click on it focuses the editor.
  const focusEditor = (event: MouseEvent<HTMLDivElement>) => {
    if (isRich && event.target === event.currentTarget) surfaceIn(event.currentTarget)?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a larger target for the mouse; keys reach the editor itself.
    <div className="rich-text" data-changed={isChanged || undefined} onClick={focusEditor}>
      {draft.stored !== null && <DraftNotice onRestore={restore} onDiscard={forget} />}
      {Editor && (
        <Editor
          area={area}
          label={label}
          fieldId={wired.id}
          describedBy={wired["aria-describedby"]}
          isInvalid={wired["aria-invalid"] === true}
          isRequired={props.isRequired ?? false}
          imageOwner={imageOwner}
          replacement={replacement}
          isSource={isSource}
          isReady={isReady}
          onReady={() => setIsReady(true)}
          whenComposed={whenComposed}
          onSource={setIsSource}
          onText={(text) => area.current && setText(area.current, text)}
        />
      )}
      {isWanted && !Editor && <ToolbarPlaceholder />}
      <textarea
        dir="auto"
        ref={area}
        name={name}
        defaultValue={defaultValue}
        rows={rows}
        hidden={isRich}
        onInput={onInput}
        onCompositionStart={() => {
          isComposing.current = true;
        }}
        onCompositionEnd={() => {
          isComposing.current = false;
        }}
        onFocus={() => setIsWanted(true)}
        className={clsx("control block", isWanted && "mt-1.5 min-h-40")}
        {...(isRich ? { "aria-hidden": true } : wired)}
        placeholder={Editor === null ? "Markdown works here." : undefined}
      />
      <FormattingEnd plainFrom={plainFrom} />
      <p className="text-sm text-soft" aria-live="polite">
        {isChanged ? (isDrafted ? "Changed. This browser keeps a draft until you save." : "Changed.") : ""}
      </p>
    </div>
  );
}
