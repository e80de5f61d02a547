// Where in the text an image will stand while it is uploaded: a mark that moves with the text around it. Images that
// are dropped or pasted are taken here.
import { Plugin, PluginKey } from "@milkdown/kit/prose/state";
import { Decoration, DecorationSet, type EditorView } from "@milkdown/kit/prose/view";
import { $prose } from "@milkdown/kit/utils";

type Change = { add: { id: number; pos: number; name: string } } | { remove: number };
const places = new PluginKey<DecorationSet>("bothy-uploads");

const imagesOf = (list: FileList | undefined | null): File[] =>
  [...(list ?? [])].filter((file) => file.type.startsWith("image/"));

export const takesFiles = (onFiles: (files: File[], at: number) => void) =>
  $prose(
    () =>
      new Plugin<DecorationSet>({
        key: places,
        state: {
          init: () => DecorationSet.empty,
          apply(tr, set) {
            const moved = set.map(tr.mapping, tr.doc);
            const change = tr.getMeta(places) as Change | undefined;
            if (!change) return moved;
            if ("remove" in change)
              return moved.remove(moved.find(undefined, undefined, (spec) => spec.id === change.remove));
            const { id, pos, name } = change.add;
            return moved.add(tr.doc, [Decoration.widget(pos, placeFor(name), { id, side: 1 })]);
          },
        },
        props: {
          decorations: (state) => places.getState(state),
          handlePaste(view, event) {
            const data = event.clipboardData;
            const files = imagesOf(data?.files);
            if (files.length === 0 || data?.getData("text/html")) return false;
            onFiles(files, view.state.selection.from);
            return true;
          },
          handleDrop(view, event, _slice, isMoved) {
            const files = isMoved ? [] : imagesOf(event.dataTransfer?.files);
            if (files.length === 0) return false;
            event.preventDefault();
            const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
            onFiles(files, at?.pos ?? view.state.selection.from);
            return true;
          },
        },
      }),
  );

function placeFor(name: string): HTMLElement {
  const mark = document.createElement("span");
  mark.className = "upload-place";
  mark.textContent = name;
  return mark;
}

export const holdPlace = (view: EditorView, id: number, pos: number, name: string): void =>
  view.dispatch(view.state.tr.setMeta(places, { add: { id, pos, name } } satisfies Change));

/** Puts the image there, or nothing when there is none. */
export function fillPlace(view: EditorView, id: number, image: { src: string; alt: string } | null): void {
  const [found] = places.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id) ?? [];
  const tr = view.state.tr.setMeta(places, { remove: id } satisfies Change);
  const type = view.state.schema.nodes.image;
  if (image && type) {
    const node = type.create(image);
    const at = found?.from ?? view.state.selection.from;
    // A code block takes no image: behind it.
    const $at = tr.doc.resolve(at);
    if ($at.parent.type.spec.code)
      tr.insert($at.after(), view.state.schema.nodes.paragraph?.create(null, node) ?? node);
    else tr.insert(at, node);
  }
  view.dispatch(tr);
}
