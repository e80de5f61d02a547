// A goal's checklist. Without JavaScript it has a Save button.
import { PlainForm } from "~/components/form/plain-form";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { OutsideLink } from "~/components/ui/text-link";
import type { ChecklistItem } from "~/domain/goals/goals";
import { useHydrated } from "~/hooks/use-hydrated";
import { type TicksState, useChecklistTicks } from "./use-checklist-ticks";

const STATE_TEXTS: Record<TicksState, string> = {
  saved: "",
  waiting: " · not saved yet",
  saving: " · saving",
  held: " · waits for the connection",
  refused: " · not saved",
};

type Props = {
  goalId: number;
  title: string;
  items: readonly ChecklistItem[];
  /** In a session the ticks belong to the participant. */
  sessionId?: number;
  canTick: boolean;
  isOver?: boolean;
};

export function Checklist({ goalId, title, items, sessionId, canTick, isOver = false }: Props) {
  const isHydrated = useHydrated();
  const { ticked, tick, save, state } = useChecklistTicks({
    goalId,
    title,
    items,
    ...(sessionId ? { sessionId } : {}),
    canTick,
    isOver,
  });
  const doneCount = items.filter(({ uuid }) => ticked.has(uuid)).length;
  return (
    <PlainForm
      fields={{ intent: "list.tick", goal: goalId }}
      onPress={() => void save()}
      className="flex flex-col gap-1"
      label={`Checklist of ${title}`}
    >
      {items.map(
        ({ uuid, isChecked }) => isChecked && <input key={uuid} type="hidden" name="base" value={uuid} />,
      )}
      <p className="tabular text-sm text-soft" aria-live="polite">
        {doneCount} of {items.length} done
        {STATE_TEXTS[state]}
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.uuid} className="flex flex-wrap items-center gap-x-4">
            <Checkbox
              name="ticked"
              value={item.uuid}
              label={item.title}
              {...(isHydrated
                ? { checked: ticked.has(item.uuid), onChange: () => tick(item.uuid) }
                : { defaultChecked: item.isChecked })}
              disabled={!canTick}
            />
            {item.link && <OutsideLink href={item.link}>Link</OutsideLink>}
          </li>
        ))}
      </ul>
      {canTick && !isHydrated && (
        <Button type="submit" className="self-start">
          Save
        </Button>
      )}
    </PlainForm>
  );
}
