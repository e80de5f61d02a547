// Dragging parts and groups by their handles, with pointer, finger or keys, told to screen readers. Part of the editor's
// own chunk; the up and down buttons do the same without it.
import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useDroppable,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { restrictToVerticalAxis } from "@dnd-kit/modifiers";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import clsx from "clsx";
import type { ReactNode } from "react";
import { Icon } from "~/components/pictures/icon";
import { REORDER_GROUP, useAutoScroll } from "~/components/ui/auto-scroll";
import type { PartGroup, Schedule } from "~/domain/schedule-shape";
import { endOf, isSamePlace, partTarget } from "./drop-target";
import { useEditing } from "./editor-context";
import { nameOf, placeOf } from "./editor-state";

const INSTRUCTIONS =
  "To pick up, press space or enter. While dragging, use the arrow keys to move, space or enter to drop, escape to cancel. The buttons Move up and Move down do the same.";

const nearest: CollisionDetection = (args) => {
  const isGroup = args.active.data.current?.kind === "group";
  return closestCenter({
    ...args,
    droppableContainers: args.droppableContainers.filter(
      (container) => (container.data.current?.kind === "group") === isGroup,
    ),
  });
};

const isGroupId = (schedule: Schedule, id: UniqueIdentifier): boolean =>
  schedule.groups.some((group) => group.id === id);

export function DragBoard({ children }: { children: ReactNode }) {
  const { state, dispatch } = useEditing();
  const { schedule } = state;
  const autoScroll = useAutoScroll();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );

  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return;
    if (isGroupId(schedule, active.id)) {
      const index = schedule.groups.findIndex((group) => group.id === over.id);
      if (index >= 0) dispatch({ type: "move-group", groupId: String(active.id), index });
      return;
    }
    const partId = String(active.id);
    const target = partTarget(schedule, partId, String(over.id));
    if (target && !isSamePlace(schedule, partId, target)) dispatch({ type: "move-part", partId, ...target });
  };

  const called = (id: UniqueIdentifier) =>
    isGroupId(schedule, id)
      ? `Group ${schedule.groups.findIndex((group) => group.id === id) + 1}`
      : nameOf(schedule, String(id));
  const where = (id: UniqueIdentifier, overId: UniqueIdentifier): string => {
    if (isGroupId(schedule, id))
      return `place ${schedule.groups.findIndex((group) => group.id === overId) + 1} of ${schedule.groups.length}`;
    const target = partTarget(schedule, String(id), String(overId));
    const group = schedule.groups.findIndex((one) => one.id === target?.groupId);
    return target ? `position ${target.index + 1} in group ${group + 1}` : "";
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) =>
      isGroupId(schedule, active.id)
        ? `Picked up ${called(active.id)}.`
        : `Picked up ${called(active.id)}, ${placeOf(schedule, String(active.id))}.`,
    onDragOver: ({ active, over }) => {
      // Over its own place there is nothing new to say.
      if (over?.id === active.id) return undefined;
      return over
        ? `${called(active.id)} is over ${where(active.id, over.id)}.`
        : `${called(active.id)} is nowhere.`;
    },
    onDragEnd: ({ active, over }) =>
      over ? `${called(active.id)} was dropped at ${where(active.id, over.id)}.` : "It was put back.",
    onDragCancel: ({ active }) => `${called(active.id)} was put back.`,
  };

  return (
    <DndContext
      id={REORDER_GROUP}
      sensors={sensors}
      collisionDetection={nearest}
      modifiers={[restrictToVerticalAxis]}
      autoScroll={autoScroll}
      accessibility={{ announcements, screenReaderInstructions: { draggable: INSTRUCTIONS } }}
      onDragEnd={drop}
    >
      <SortableContext
        items={schedule.groups.map((group) => group.id)}
        strategy={verticalListSortingStrategy}
      >
        {children}
      </SortableContext>
    </DndContext>
  );
}

type DraggableProps = {
  id: string;
  kind: "group" | "part";
  groupId: string;
  name: string;
  children: (handle: ReactNode, isLifted: boolean) => ReactNode;
};

export function Draggable({ id, kind, groupId, name, children }: DraggableProps) {
  const sortable = useSortable({ id, data: { kind, groupId } });
  const { active, isOver, isDragging, attributes, listeners } = sortable;
  // In its own list the neighbours make room; over another list a line shows where it would go.
  const comesFromElsewhere = isOver && kind === "part" && active?.data.current?.groupId !== groupId;
  const handle = (
    <button
      type="button"
      ref={sortable.setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={`Drag ${name}`}
      className="grid size-11 shrink-0 cursor-grab touch-none place-content-center rounded-md text-faint hover:bg-sunken hover:text-ink active:cursor-grabbing"
    >
      <Icon name="drag" />
    </button>
  );
  return (
    <li
      ref={sortable.setNodeRef}
      className={clsx("relative", isDragging && "z-10", comesFromElsewhere && "drop-before")}
      style={{
        transform: CSS.Translate.toString(sortable.transform),
        transition: sortable.transition,
      }}
    >
      {comesFromElsewhere && <DropLine />}
      {children(handle, isDragging)}
    </li>
  );
}

const DropLine = () => (
  <span aria-hidden="true" className="absolute inset-x-0 -top-2 h-1 rounded-full bg-glow" />
);

/** A group's parts, and the place behind the last of them. */
export function PartList({ group, children }: { group: PartGroup; children: ReactNode }) {
  const end = useDroppable({ id: endOf(group.id), data: { kind: "part", groupId: group.id } });
  const comesFromElsewhere = end.isOver && end.active?.data.current?.groupId !== group.id;
  return (
    <SortableContext items={group.parts.map((part) => part.id)} strategy={verticalListSortingStrategy}>
      <ol className="flex flex-col gap-2">{children}</ol>
      <div ref={end.setNodeRef} className="relative -mt-2 h-2">
        {comesFromElsewhere && <DropLine />}
      </div>
    </SortableContext>
  );
}
