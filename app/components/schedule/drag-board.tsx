// Drag and drop of parts and groups, with pointer, touch or keyboard and announcements. It is in the editor's chunk;
// the up and down buttons work without it.
import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  type DragEndEvent,
  type UniqueIdentifier,
  useDroppable,
} from "@dnd-kit/core";
import { SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import type { ReactNode } from "react";
import { SortBoard, SortRow } from "~/components/ui/sort-board";
import type { PartGroup, Schedule } from "~/domain/schedule/shape";
import { groupEndId, isSamePlace, partTarget } from "./drop-target";
import { usePartEditor } from "./editor-context";
import { nameOf, placeOf } from "./editor-state";

const nearestOfKind: CollisionDetection = (args) => {
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
  const { state, dispatch } = usePartEditor();
  const { schedule } = state;

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

  const spokenName = (id: UniqueIdentifier) =>
    isGroupId(schedule, id)
      ? `Group ${schedule.groups.findIndex((group) => group.id === id) + 1}`
      : nameOf(schedule, String(id));
  const spokenPlace = (id: UniqueIdentifier, overId: UniqueIdentifier): string => {
    if (isGroupId(schedule, id))
      return `place ${schedule.groups.findIndex((group) => group.id === overId) + 1} of ${schedule.groups.length}`;
    const target = partTarget(schedule, String(id), String(overId));
    const group = schedule.groups.findIndex(({ id }) => id === target?.groupId);
    return target ? `position ${target.index + 1} in group ${group + 1}` : "";
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) =>
      isGroupId(schedule, active.id)
        ? `Picked up ${spokenName(active.id)}.`
        : `Picked up ${spokenName(active.id)}, ${placeOf(schedule, String(active.id))}.`,
    onDragOver: ({ active, over }) => {
      // Over its own place there is nothing to announce.
      if (over?.id === active.id) return undefined;
      return over
        ? `${spokenName(active.id)} is over ${spokenPlace(active.id, over.id)}.`
        : `${spokenName(active.id)} is nowhere.`;
    },
    onDragEnd: ({ active, over }) =>
      over
        ? `${spokenName(active.id)} was dropped at ${spokenPlace(active.id, over.id)}.`
        : "It was put back.",
    onDragCancel: ({ active }) => `${spokenName(active.id)} was put back.`,
  };

  return (
    <SortBoard announcements={announcements} onDrop={drop} nearest={nearestOfKind}>
      <SortableContext
        items={schedule.groups.map((group) => group.id)}
        strategy={verticalListSortingStrategy}
      >
        {children}
      </SortableContext>
    </SortBoard>
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
  const { active, isOver } = sortable;
  // In its own list the neighbours make room; over another list a line marks the position.
  const comesFromElsewhere = isOver && kind === "part" && active?.data.current?.groupId !== groupId;
  return (
    <SortRow
      sortable={sortable}
      name={name}
      className={comesFromElsewhere ? "drop-before" : undefined}
      before={comesFromElsewhere && <DropLine />}
    >
      {children}
    </SortRow>
  );
}

const DropLine = () => (
  <span aria-hidden="true" className="absolute inset-x-0 -top-2 h-1 rounded-full bg-glow" />
);

/** A group's parts, and the position after the last of them. */
export function PartList({ group, children }: { group: PartGroup; children: ReactNode }) {
  const end = useDroppable({ id: groupEndId(group.id), data: { kind: "part", groupId: group.id } });
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
