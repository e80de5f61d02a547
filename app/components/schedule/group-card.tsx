// A group of parts in the editor: links, start, repeats, and its list.

import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Switch } from "~/components/ui/choices";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { FieldErrors } from "~/components/ui/field";
import { useHeading } from "~/components/ui/heading-level";
import { formatDuration } from "~/domain/duration-text";
import { partSpan } from "~/domain/schedule/part-kinds";
import type { PartGroup } from "~/domain/schedule/shape";
import { newId, problemsAt, usePartEditor } from "./editor-context";
import { SetsField } from "./interval-fields";

type GroupCardProps = {
  group: PartGroup;
  index: number;
  handle: ReactNode;
  isLifted?: boolean;
  children: ReactNode;
};

export function GroupCard({ group, index, handle, isLifted, children }: GroupCardProps) {
  const editing = usePartEditor();
  const { state, dispatch } = editing;
  const { isManuallyStarted, rosterSize } = state.plan;
  const count = state.schedule.groups.length;
  const name = `Group ${index + 1}`;
  const span = group.parts.reduce((sum, part) => sum + partSpan(part, rosterSize), 0) * group.sets;
  const groupId = group.id;
  const Heading = useHeading();
  const moveGroup = (newIndex: number) => dispatch({ type: "move-group", groupId, index: newIndex });
  const isAlone = count === 1;
  // The settings of a single group fold away; they begin open where they differ from the defaults.
  const [opensSettings] = useState(!group.isLinked || !group.isAutoStart || group.isHidden || group.sets > 1);
  const settings = (
    <>
      <div className="flex items-center gap-2">
        {handle}
        <Heading className="min-w-0 flex-1">
          {name}
          <span className="tabular ms-2 font-sans text-sm font-normal text-soft">
            {formatDuration(span)}
            {group.sets > 1 && ` in ${group.sets} sets`}
          </span>
        </Heading>
        <DropdownMenu
          label={`More for ${name}`}
          trigger={<Icon name="more" />}
          triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md hover:bg-raised"
        >
          <MenuButton disabled={index === 0} onClick={() => moveGroup(index - 1)}>
            <Icon name="arrow-up" /> Move group up
          </MenuButton>
          <MenuButton disabled={index === count - 1} onClick={() => moveGroup(index + 1)}>
            <Icon name="arrow-down" /> Move group down
          </MenuButton>
          <MenuButton onClick={() => dispatch({ type: "duplicate-group", groupId, makeId: newId })}>
            <Icon name="copy" /> Duplicate group
          </MenuButton>
          <MenuButton isDanger onClick={() => dispatch({ type: "remove-group", groupId })}>
            <Icon name="delete" /> Remove group
          </MenuButton>
        </DropdownMenu>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <Switch
          label="Linked"
          checked={group.isLinked}
          disabled={isManuallyStarted}
          onChange={(event) => dispatch({ type: "set-linked", groupId, isLinked: event.target.checked })}
        />
        <Switch
          label="Starts automatically"
          checked={group.isAutoStart}
          onChange={(event) =>
            dispatch({ type: "describe-group", groupId, change: { isAutoStart: event.target.checked } })
          }
        />
        <Switch
          label="Hidden"
          checked={group.isHidden}
          onChange={(event) =>
            dispatch({ type: "describe-group", groupId, change: { isHidden: event.target.checked } })
          }
        />
        <SetsField
          value={group.sets}
          onChange={(sets) => dispatch({ type: "set-group-sets", groupId, sets })}
        />
      </div>
      <p className="text-sm text-soft">{describeGroupRules(group, isManuallyStarted)}</p>
    </>
  );
  return (
    <section
      aria-label={name}
      className={clsx(
        "flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3 sm:p-4",
        isLifted && "shadow-float",
      )}
    >
      {isAlone ? (
        <details open={opensSettings} className="group/settings">
          <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold marker:content-none">
            <Icon name="right" className="transition-transform group-open/settings:rotate-90" />
            How these timers start
          </summary>
          <div className="flex flex-col gap-3">{settings}</div>
        </details>
      ) : (
        settings
      )}
      <FieldErrors error={problemsAt(editing, groupId)} />
      {children}
      <Button
        className="self-start"
        data-focus={groupId}
        onClick={() => dispatch({ type: "add-part", groupId, partId: newId() })}
      >
        <Icon name="plus" />
        Add a timer
      </Button>
    </section>
  );
}

/** The settings of a group as a sentence. */
function describeGroupRules(group: PartGroup, isManuallyStarted: boolean): string {
  const linkText = group.isLinked
    ? isManuallyStarted
      ? "With a manual start all timers are linked: each starts when the one before it ends"
      : "Each timer starts when the one before it ends"
    : "Each timer has its own start";
  const startText = group.isAutoStart ? "by itself when its time comes" : "when the host starts it";
  const hiddenText = group.isHidden ? " Participants see these timers once they have started." : "";
  return `${linkText}, ${startText}.${hiddenText}`;
}
