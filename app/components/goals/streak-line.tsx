// A recurring goal's streak in words, with its week and the button that skips today.
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import type { Day } from "~/domain/days";
import { describeRecurrence } from "~/domain/goals/recurrence";
import type { Streak } from "~/domain/goals/streaks";
import { useActionForm } from "~/hooks/form/use-action-form";
import { type DotsProps, periodText, WeekDots } from "./week-dots";

function streakText(streak: Streak): string {
  const countText = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
  const bestText = countText(streak.best, streak.bestUnit);
  if (streak.current === 0) return streak.best > 0 ? `No current streak. Your best: ${bestText}.` : "";
  const freezeText =
    streak.freezes === 0
      ? "no freeze left"
      : `${streak.freezes} ${streak.freezes === 1 ? "freeze" : "freezes"} left`;
  return `${countText(streak.current, streak.unit)} in a row, ${freezeText}. Your best: ${bestText}.`;
}

type LineProps = DotsProps & { streak: Streak | null };

export function StreakLine({ goal, measures, days, today, streak }: LineProps) {
  const isSkipped = days.some(({ day, isSkipped }) => day === today && isSkipped);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="flex flex-col gap-1">
        <p className="font-semibold">
          {periodText({ goal, measures, days, today })}{" "}
          <span className="font-normal text-soft">({describeRecurrence(goal.recurrence)})</span>
        </p>
        {streak && <p className="text-soft">{streakText(streak)}</p>}
        {streak && streak.frozen.length > 0 && (
          <p className="text-sm text-soft">
            {streak.frozen.length === 1 ? "A freeze" : `${streak.frozen.length} freezes`} kept it going.
          </p>
        )}
      </div>
      <WeekDots goal={goal} measures={measures} days={days} today={today} />
      <SkipToday goalId={goal.id} today={today} isSkipped={isSkipped} />
    </div>
  );
}

function SkipToday({ goalId, today, isSkipped }: { goalId: number; today: Day; isSkipped: boolean }) {
  const form = useActionForm({
    intent: "day.skip",
    hiddenFields: { goal: goalId, day: today, isSkipped: isSkipped ? "0" : "1" },
  });
  return (
    <ActionForm form={form}>
      <Button type="submit" variant="ghost" className="-ms-4 forced-colors:ms-0" isLoading={form.isBusy}>
        {isSkipped ? "Count today after all" : "Skip today"}
      </Button>
    </ActionForm>
  );
}
