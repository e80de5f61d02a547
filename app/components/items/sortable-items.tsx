// A sortable list of items (U-49, U-53, D-09): by pointer, touch or keyboard with announcements, or by up and down
// buttons. The new order appears at once; items of others stay in place.
import type { Announcements, DragEndEvent, UniqueIdentifier } from "@dnd-kit/core";
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { type ReactNode, useRef } from "react";
import { SortBoard, SortRow } from "~/components/ui/sort-board";
import { CallError, callServer } from "~/hooks/call-server";
import { toast } from "~/hooks/toasts";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import { useFreshData } from "~/hooks/use-fresh-data";
import { useOptimistic } from "~/hooks/use-optimistic";
import * as paths from "~/wire/paths";
import { ItemCard } from "./card";
import { ItemRow } from "./row";
import type { ParentOption, ShownItem } from "./shapes";

export type ItemBoardProps = {
  items: readonly ShownItem[];
  options: readonly ParentOption[];
  /** The slug of the hut whose list this is. */
  board?: string | null;
  page: number;
  hasNext: boolean;
};

export function SortableItems({ items, options, board = null, page, hasNext }: ItemBoardProps) {
  const { value: shownItems, apply, confirmPatch, dropPatch } = useOptimistic(items);
  const list = useRef<HTMLOListElement>(null);
  const focusTarget = useRef<string | null>(null);
  const sendQueue = useRef(Promise.resolve());
  const refresh = useFreshData();
  const indexOf = (id: UniqueIdentifier) => shownItems.findIndex((item) => item.id === Number(id));

  // A row loses the focus when it moves in the DOM.
  useBrowserLayoutEffect(() => {
    if (focusTarget.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-focus="${focusTarget.current}"]`)?.focus();
    focusTarget.current = null;
  });

  const move = (id: number, index: number) => {
    const key = crypto.randomUUID();
    const reorder = (current: readonly ShownItem[]) =>
      arrayMove(
        [...current],
        current.findIndex((item) => item.id === id),
        index,
      );
    const next = reorder(shownItems);
    const above = next[index - 1];
    const below = next[index + 1];
    const neighbour = above ? { after: above.id } : below ? { before: below.id } : { after: null };
    apply(key, reorder);
    // Moves are sent one after the other, in order.
    sendQueue.current = sendQueue.current.then(() =>
      callServer(paths.updateItem, {
        params: { item: id },
        body: { itemData: { ...neighbour, ...(board === null ? {} : { group: board }) } },
      }).then(
        () => {
          confirmPatch(key);
          refresh();
        },
        (error: unknown) => {
          dropPatch(key);
          toast.error(error instanceof CallError ? error.message : "The order was not saved.");
          refresh();
        },
      ),
    );
  };
  const step = (id: number, offset: -1 | 1): boolean => {
    const index = indexOf(id) + offset;
    if (index < 0 || index >= shownItems.length) return false;
    focusTarget.current = `${id}:${offset < 0 ? "up" : "down"}`;
    move(id, index);
    return true;
  };
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) move(Number(active.id), indexOf(over.id));
  };

  const titleOf = (id: UniqueIdentifier) => shownItems[indexOf(id)]?.title ?? "The item";
  const placeText = (id: UniqueIdentifier) => `place ${indexOf(id) + 1} of ${shownItems.length}`;
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Picked up ${titleOf(active.id)}, ${placeText(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over && over.id !== active.id ? `${titleOf(active.id)} is over ${placeText(over.id)}.` : undefined,
    onDragEnd: ({ active, over }) =>
      over ? `${titleOf(active.id)} was dropped at ${placeText(over.id)}.` : "It was put back.",
    onDragCancel: ({ active }) => `${titleOf(active.id)} was put back.`,
  };

  return (
    <SortBoard announcements={announcements} onDrop={drop}>
      <SortableContext items={shownItems.map((item) => item.id)} strategy={verticalListSortingStrategy}>
        <ol ref={list} aria-label="Items" className="flex flex-col gap-3">
          {shownItems.map((item, index) => (
            <SortableItem key={item.id} item={item}>
              {(handle, isLifted) =>
                item.isOwner ? (
                  <ItemRow
                    item={item}
                    options={options}
                    handle={handle}
                    isLifted={isLifted}
                    board={board}
                    canMove={{ up: index > 0 || page > 1, down: index < shownItems.length - 1 || hasNext }}
                    onStep={(offset) => step(item.id, offset)}
                  />
                ) : (
                  <ItemCard item={item} as="article" showsPerson />
                )
              }
            </SortableItem>
          ))}
        </ol>
      </SortableContext>
    </SortBoard>
  );
}

type SortableProps = { item: ShownItem; children: (handle: ReactNode, isLifted: boolean) => ReactNode };

function SortableItem({ item, children }: SortableProps) {
  const sortable = useSortable({ id: item.id, disabled: { draggable: !item.isOwner, droppable: false } });
  return (
    <SortRow sortable={sortable} name={item.title}>
      {children}
    </SortRow>
  );
}
