// A sortable list: by pointer, touch or keyboard, with announcements (K-06, S-20). Each list supplies collisions,
// announcements and the drop handler.
import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { restrictToVerticalAxis } from "@dnd-kit/modifiers";
import { sortableKeyboardCoordinates, type useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import clsx from "clsx";
import type { ReactNode } from "react";
import { Icon } from "~/components/pictures/icon";
import { useHydrated } from "~/hooks/use-hydrated";
import { DRAG_CONTEXT_ID, useAutoScroll } from "./auto-scroll";

const INSTRUCTIONS =
  "To pick up, press space or enter. While dragging, use the arrow keys to move, space or enter to drop, escape to cancel. The buttons Move up and Move down do the same.";

type BoardProps = {
  announcements: Announcements;
  onDrop: (event: DragEndEvent) => void;
  nearest?: CollisionDetection;
  children: ReactNode;
};

export function SortBoard({ announcements, onDrop, nearest = closestCenter, children }: BoardProps) {
  const autoScroll = useAutoScroll();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  return (
    <DndContext
      id={DRAG_CONTEXT_ID}
      sensors={sensors}
      collisionDetection={nearest}
      modifiers={[restrictToVerticalAxis]}
      autoScroll={autoScroll}
      accessibility={{ announcements, screenReaderInstructions: { draggable: INSTRUCTIONS } }}
      onDragEnd={onDrop}
    >
      {children}
    </DndContext>
  );
}

type Sortable = ReturnType<typeof useSortable>;
type RowProps = {
  sortable: Sortable;
  name: string;
  className?: string | undefined;
  /** Rendered before the row's content. */
  before?: ReactNode;
  children: (handle: ReactNode, isLifted: boolean) => ReactNode;
};

/** A row that follows the drag, and its handle. */
export function SortRow({ sortable, name, className, before, children }: RowProps) {
  const isHydrated = useHydrated();
  // The button keeps its own role. Only the browser has the instructions, so the server does not refer to them.
  const { role: _, "aria-describedby": instructionsId, ...attributes } = sortable.attributes;
  const handle = (
    <button
      type="button"
      ref={sortable.setActivatorNodeRef}
      {...attributes}
      {...(isHydrated ? { "aria-describedby": instructionsId } : {})}
      {...sortable.listeners}
      aria-label={`Drag ${name}`}
      className="needs-script grid size-11 shrink-0 cursor-grab touch-none place-content-center rounded-md text-faint hover:bg-sunken hover:text-ink active:cursor-grabbing"
    >
      <Icon name="drag" />
    </button>
  );
  return (
    <li
      ref={sortable.setNodeRef}
      className={clsx("relative", sortable.isDragging && "z-10", className)}
      style={{ transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition }}
    >
      {before}
      {children(handle, sortable.isDragging)}
    </li>
  );
}
