// The rich-text editor over the text area (D-03): toolbar, contextual tools, surface, and uploads.
import { Milkdown, MilkdownProvider, useEditor } from "@milkdown/react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import "@milkdown/kit/prose/view/style/prosemirror.css";
import "./editor.css";
import { type ActiveFormatting, NOTHING_ACTIVE } from "./active.client";
import { CodeRow, ImageRow } from "./context-rows.client";
import * as edits from "./edits.client";
import { defineEditor, type Surface, surfaceOf } from "./milkdown.client";
import { ImagePanel, LinkPanel } from "./panels.client";
import { Toolbar } from "./toolbar.client";
import { UploadList } from "./upload-list.client";
import { useUploads } from "./use-uploads.client";

/** An object, so that the same text can replace the editor's text twice. */
export type Replacement = { text: string };

export type RichTextEditorProps = {
  area: React.RefObject<HTMLTextAreaElement>;
  label: string;
  fieldId: string | undefined;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
  /** The owner of uploaded images, as in the path of their call. */
  imageOwner: string;
  replacement: Replacement | null;
  isSource: boolean;
  /** True once the surface has replaced the text area. */
  isReady: boolean;
  /** Called when the surface replaces the text area. */
  onReady: () => void;
  /** Runs `callback` once no input method is composing in the text area. */
  whenComposed: (callback: () => void) => void;
  onSource: (isSource: boolean) => void;
  onText: (markdown: string) => void;
};

/**
 * Moves text, caret and focus from the text area to the surface, in one task with `swap`, so that no keystroke is lost.
 */
function takeOver(
  surface: Surface,
  initialText: string,
  area: HTMLTextAreaElement | null,
  swap: () => void,
): void {
  const hasFocus = area !== null && document.activeElement === area;
  flushSync(swap);
  if (!area) return;
  if (area.value !== initialText) surface.replace(area.value);
  if (!hasFocus) return;
  surface.select(area.value, area.selectionStart, area.selectionEnd);
  surface.view.focus();
}

export const RichTextEditor = (props: RichTextEditorProps) => (
  <MilkdownProvider>
    <EditorBody {...props} />
  </MilkdownProvider>
);

type Labelling = Pick<RichTextEditorProps, "label" | "fieldId" | "describedBy" | "isInvalid" | "isRequired">;
const attributesOf = ({ label, fieldId, describedBy, isInvalid, isRequired }: Labelling) => ({
  role: "textbox",
  "aria-multiline": "true",
  dir: "auto",
  "aria-label": label,
  class: "prose control",
  ...(fieldId ? { id: fieldId } : {}),
  ...(describedBy ? { "aria-describedby": describedBy } : {}),
  ...(isInvalid ? { "aria-invalid": "true" } : {}),
  ...(isRequired ? { "aria-required": "true" } : {}),
});

type SurfaceRef = React.MutableRefObject<Surface | null>;
type LatestProps = React.MutableRefObject<RichTextEditorProps>;

/** Puts the surface in the place of the text area once the editor has loaded. */
function useTakeOver(
  surface: SurfaceRef,
  editor: Parameters<typeof surfaceOf>[0] | undefined,
  initialText: React.MutableRefObject<string>,
  latest: LatestProps,
): void {
  useEffect(() => {
    surface.current = editor ? surfaceOf(editor, initialText.current) : null;
    // The swap runs after this effect, because React cannot render inside it. It reads and removes the text area in one
    // task.
    const swap = () => {
      const { area, onReady } = latest.current;
      if (surface.current) takeOver(surface.current, initialText.current, area.current, onReady);
    };
    if (editor) queueMicrotask(() => latest.current.whenComposed(swap));
    return () => {
      surface.current = null;
    };
  }, [surface, editor, initialText, latest]);
}

/** Reports the text before a submit, which may come before the surface reports its last change. */
function useFlushBeforeSubmit(
  surface: SurfaceRef,
  area: RichTextEditorProps["area"],
  latest: LatestProps,
): void {
  useEffect(() => {
    const form = area.current?.form;
    const flush = () => {
      if (surface.current && !latest.current.isSource) latest.current.onText(surface.current.markdown());
    };
    form?.addEventListener("submit", flush, { capture: true });
    return () => form?.removeEventListener("submit", flush, { capture: true });
  }, [surface, area, latest]);
}

function useReplacement(surface: SurfaceRef, replacement: Replacement | null, latest: LatestProps): void {
  const lastReplacement = useRef(replacement);
  useEffect(() => {
    if (replacement === null || lastReplacement.current === replacement) return;
    lastReplacement.current = replacement;
    // Without a surface the text area has the replacement already, and perhaps what the user has typed since.
    if (!surface.current) return;
    // A change that the surface reported before this effect has overwritten the text area.
    latest.current.onText(replacement.text);
    surface.current.replace(replacement.text);
  }, [surface, replacement, latest]);
}

/** Error attributes reach the surface on its next render. */
function useAttributes(surface: SurfaceRef, labelling: Labelling): void {
  const { label, fieldId, describedBy, isInvalid, isRequired } = labelling;
  // A layout effect, because a refused form then looks for its first invalid field.
  useLayoutEffect(() => {
    const attributes = attributesOf({ label, fieldId, describedBy, isInvalid, isRequired });
    surface.current?.view.setProps({ attributes });
  }, [surface, label, fieldId, describedBy, isInvalid, isRequired]);
}

function EditorBody(props: RichTextEditorProps) {
  const { area, imageOwner, replacement, isSource, onSource } = props;
  const toolbar = useRef<HTMLDivElement>(null);
  const surface = useRef<Surface | null>(null);
  const [active, setActive] = useState<ActiveFormatting>(NOTHING_ACTIVE);
  const [panel, setPanel] = useState<"link" | "image" | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { uploads, addFiles } = useUploads(surface, imageOwner);
  const focusToolbar = useCallback(
    () => toolbar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
    [],
  );

  const initialText = useRef("");
  const define = (root: HTMLElement) => {
    initialText.current = latest.current.area.current?.value ?? "";
    return defineEditor({
      root,
      markdown: initialText.current,
      attributes: () => attributesOf(latest.current),
      // The change event is delayed; the user may be editing source by then.
      onChange: () => {
        if (surface.current && !latest.current.isSource) latest.current.onText(surface.current.markdown());
      },
      onActive: (active) =>
        setActive((previous) => (JSON.stringify(previous) === JSON.stringify(active) ? previous : active)),
      onFiles: addFiles,
      onLinkKey: () => setPanel("link"),
      onToolsKey: () => {
        const pressedWidth = root
          .closest(".rich-text-editor")
          ?.querySelector<HTMLElement>('[data-width][aria-pressed="true"]');
        if (pressedWidth) pressedWidth.focus();
        else focusToolbar();
      },
    });
  };
  const { loading, get } = useEditor(define, [addFiles, focusToolbar]);
  const editor = loading ? undefined : get();
  useTakeOver(surface, editor, initialText, latest);
  useFlushBeforeSubmit(surface, area, latest);
  useReplacement(surface, replacement, latest);
  useAttributes(surface, props);

  const focusSurface = () => surface.current?.view.focus();
  const run = (edit: Parameters<Surface["call"]>[0]) => {
    surface.current?.call(edit);
    focusSurface();
  };
  const close = () => {
    setPanel(null);
    focusSurface();
  };
  const toggleSource = () => {
    const { current } = surface;
    if (!current || !area.current) return;
    if (isSource) {
      if (current.markdown() !== area.current.value) current.replace(area.current.value);
    } else props.onText(current.markdown());
    setPanel(null);
    onSource(!isSource);
    const { current: field } = area;
    setTimeout(() => (isSource ? current.view.focus() : field.focus()));
  };

  return (
    <div className="rich-text-editor">
      <Toolbar
        ref={toolbar}
        active={active}
        panel={panel}
        isSource={isSource}
        isReady={props.isReady}
        onEdit={run}
        onPanel={(next) => setPanel(panel === next ? null : next)}
        onSource={toggleSource}
        onLeave={focusSurface}
      />
      {!isSource && panel === "link" && (
        <LinkPanel
          href={active.link}
          onClose={close}
          onLink={(href) => {
            setPanel(null);
            run(edits.setLink(href));
          }}
        />
      )}
      {!isSource && panel === "image" && (
        <ImagePanel
          onClose={close}
          onFiles={(files) => {
            close();
            const { current } = surface;
            if (current) addFiles(files, current.view.state.selection.from);
          }}
          onImage={(image) => {
            setPanel(null);
            run(edits.insertImage(image));
          }}
        />
      )}
      {!isSource && active.code && (
        <CodeRow
          language={active.code.language}
          onLanguage={(language) => surface.current?.call(edits.setCodeLanguage(language))}
        />
      )}
      {!isSource && active.image && (
        <ImageRow
          key={active.image.pos}
          image={active.image}
          onChange={(change) => surface.current?.call(edits.changeImage(change))}
          onRemove={() => run(edits.removeImage)}
          onToolsKey={focusToolbar}
          onLeave={focusSurface}
        />
      )}
      <div hidden={isSource || !props.isReady}>
        <Milkdown />
      </div>
      <UploadList uploads={uploads} onStopped={focusSurface} />
    </div>
  );
}
