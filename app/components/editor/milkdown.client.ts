// The Milkdown editor on an element, with our images, headings and keys. Loaded only with the editor.
import {
  commandsCtx,
  defaultValueCtx,
  Editor,
  EditorStateReady,
  editorStateTimerCtx,
  editorViewCtx,
  editorViewOptionsCtx,
  editorViewTimerCtx,
  parserCtx,
  rootCtx,
  SchemaReady,
  serializerCtx,
} from "@milkdown/kit/core";
import { createTimer, type MilkdownPlugin, type SliceType, type TimerType } from "@milkdown/kit/ctx";
import { clipboard } from "@milkdown/kit/plugin/clipboard";
import { history } from "@milkdown/kit/plugin/history";
import { listener, listenerCtx } from "@milkdown/kit/plugin/listener";
import { headingSchema, imageSchema, wrapInHeadingCommand } from "@milkdown/kit/preset/commonmark";
import { textblockTypeInputRule } from "@milkdown/kit/prose/inputrules";
import { keymap } from "@milkdown/kit/prose/keymap";
import type { Node } from "@milkdown/kit/prose/model";
import { Plugin, PluginKey, Selection, TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { $inputRule, $prose, $useKeymap, $view, replaceAll } from "@milkdown/kit/utils";
import { readImageSource } from "~/domain/rich-text";
import { runAfterYield } from "~/hooks/run-after-yield";
import { type ActiveFormatting, readActive } from "./active.client";
import { clipboardPlugin } from "./clipboard.client";
import { configureMarkdown, markdownPlugins } from "./markdown.client";
import { filesPlugin } from "./upload-placeholders.client";

export type Surface = {
  view: EditorView;
  /** The current Markdown; an untouched text is returned unchanged. */
  markdown: () => string;
  replace: (markdown: string) => void;
  /**
   * Selects the text between the offsets `from` and `to` of its Markdown. Spaces and an empty line before the caret
   * are preserved.
   */
  select: (markdown: string, from: number, to: number) => void;
  call: Editor["action"];
};

type Options = {
  root: HTMLElement;
  markdown: string;
  /** Attributes of the editable element, read again on every change. */
  attributes: () => Record<string, string>;
  onChange: () => void;
  onActive: (active: ActiveFormatting) => void;
  onFiles: (files: File[], position: number) => void;
  /** Called for Mod-k. */
  onLinkKey: () => void;
  /** Called for Alt-F10. */
  onToolsKey: () => void;
};

// Four heading levels (D-02) instead of Milkdown's six.
const fourHeadings = $inputRule((ctx) =>
  textblockTypeInputRule(/^(#{1,4})\s$/, headingSchema.type(ctx), (match) => ({
    level: match[1]?.length ?? 1,
  })),
);
const headingKeys = $useKeymap(
  "fourHeadingKeys",
  Object.fromEntries(
    [1, 2, 3, 4].map((level) => [
      `Heading${level}`,
      {
        shortcuts: `Mod-Alt-${level}`,
        command: (ctx) => () => ctx.get(commandsCtx).call(wrapInHeadingCommand.key, level),
      },
    ]),
  ),
);
/** Shows an image as the page will: with its size and width (D-04), and without a forbidden source. */
const imageView = $view(imageSchema.node, () => (initialNode) => {
  const dom = document.createElement("img");
  const show = (node: Node): void => {
    const image = readImageSource(String(node.attrs.src));
    dom.alt = String(node.attrs.alt);
    dom.title = String(node.attrs.title);
    dom.className = image && image.shown !== 100 ? `image-${image.shown}` : "";
    if (image?.size) {
      dom.width = image.size.width;
      dom.height = image.size.height;
    }
    if (image) {
      if (!image.isOwn) dom.referrerPolicy = "no-referrer";
      if (dom.getAttribute("src") !== image.src) dom.src = image.src;
    } else dom.removeAttribute("src");
  };
  show(initialNode);
  return {
    dom,
    update: (node) => {
      if (node.type.name !== "image") return false;
      show(node);
      return true;
    },
  };
});

/**
 * Lets the view read the browser's selection before a key. A busy browser may handle a key before the selection event of an
 * earlier press; the caret that arrives later would clear the mark that the key has set.
 */
function readSelection({ dom }: EditorView, { isComposing }: KeyboardEvent): void {
  if (!isComposing) dom.ownerDocument.dispatchEvent(new Event("selectionchange"));
}

const yieldToBrowser = (): Promise<void> => new Promise((resolve) => runAfterYield(resolve));
/** Makes the step that waits for `timers` start in a task of its own, after `ready`. */
const afterYielding =
  (timers: SliceType<TimerType[]>, ready: TimerType): MilkdownPlugin =>
  (ctx) => {
    const yielded = createTimer(`yielded after ${ready.name}`);
    ctx.record(yielded);
    ctx.update(timers, (pending) => [...pending, yielded]);
    return async () => {
      await ctx.wait(ready);
      await yieldToBrowser();
      ctx.done(yielded);
      return () => void ctx.clearTimer(yielded);
    };
  };

/** Defines the editor without creating it: the component that mounts it creates and destroys it. */
export function defineEditor(options: Options): Editor {
  const { root, markdown, attributes, onChange, onActive, onFiles, onLinkKey, onToolsKey } = options;
  const watchPlugin = $prose(
    () =>
      new Plugin({
        key: new PluginKey("bothy-active"),
        props: { handleKeyDown: readSelection },
        view: (view) => {
          onActive(readActive(view.state));
          return { update: ({ state }) => onActive(readActive(state)) };
        },
      }),
  );
  const keys = $prose(() =>
    keymap({
      "Mod-k": () => {
        onLinkKey();
        return true;
      },
      "Alt-F10": () => {
        onToolsKey();
        return true;
      },
    }),
  );
  // `watchPlugin` comes first, so that it reads the selection before any key acts.
  return Editor.make()
    .config(async (ctx) => {
      ctx.set(rootCtx, root);
      ctx.set(defaultValueCtx, markdown);
      ctx.update(editorViewOptionsCtx, (options) => ({ ...options, attributes }));
      ctx.get(listenerCtx).updated(onChange);
      configureMarkdown(ctx);
      // As a single task with the rendered tools, creating an editor would block a slow phone for 120 ms.
      await yieldToBrowser();
    })
    .use(afterYielding(editorStateTimerCtx, SchemaReady))
    .use(afterYielding(editorViewTimerCtx, EditorStateReady))
    .use(watchPlugin)
    .use(keys)
    .use(markdownPlugins)
    .use(fourHeadings)
    .use(headingKeys)
    .use(imageView)
    .use(history)
    .use(listener)
    .use(filesPlugin(onFiles))
    .use(clipboardPlugin(onFiles))
    .use(clipboard);
}

/** The surface of an editor that was created with `markdown`. */
export function surfaceOf(editor: Editor, markdown: string): Surface {
  const view = editor.action((ctx) => ctx.get(editorViewCtx));
  let source = { markdown, doc: view.state.doc };
  return {
    view,
    markdown: () =>
      view.state.doc.eq(source.doc)
        ? source.markdown
        : editor.action((ctx) => ctx.get(serializerCtx)(view.state.doc)),
    replace: (text) => {
      editor.action(replaceAll(text));
      source = { markdown: text, doc: view.state.doc };
    },
    select: (text, from, to) => {
      const parse = editor.action((ctx) => ctx.get(parserCtx));
      const { state } = view;
      const textAt = (position: number): string =>
        state.doc.textBetween(position, Math.min(position + 1, state.doc.content.size));
      // The end of the parsed text before an offset is that offset's position in the whole document.
      const positionOf = (offset: number): number => {
        const textBefore = text.slice(0, offset);
        const docBefore = parse(textBefore);
        let position = docBefore ? Math.min(Selection.atEnd(docBefore).head, state.doc.content.size) : 0;
        // The parser drops trailing spaces, which the document may contain.
        for (let spaces = /\S( *)$/.exec(textBefore)?.[1]?.length ?? 0; spaces > 0; spaces--)
          if (textAt(position) === " ") position++;
        return position;
      };
      const [head, anchor] = [positionOf(to), positionOf(from)];
      const isAtEnd = from === to && text.slice(to).trim() === "";
      const tr = state.tr.setSelection(
        TextSelection.between(state.doc.resolve(anchor), state.doc.resolve(head)),
      );
      // Markdown drops trailing spaces of a line, but the next typed letter belongs after them.
      if (isAtEnd && text.trim() !== "" && text.slice(0, to).endsWith("\n")) {
        const paragraph = state.schema.nodes.paragraph?.createAndFill();
        if (paragraph) tr.insert(state.doc.content.size, paragraph).setSelection(Selection.atEnd(tr.doc));
      } else if (isAtEnd) {
        const spaces = /\S( +)$/.exec(text.slice(0, to))?.[1];
        if (spaces) tr.insertText(spaces);
      }
      view.dispatch(tr);
    },
    call: (action) => editor.action(action),
  };
}
