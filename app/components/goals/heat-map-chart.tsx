// A heat map of a goal's last year, with a table of the weeks for screen readers and everybody who prefers one.

import clsx from "clsx";
import { useId } from "react";
import { type Day, dayAt } from "~/domain/days";
import type { Goal } from "~/domain/goals/goals";
import {
  dailyTarget,
  type HeatWeek,
  heatMap,
  type Measure,
  measureOf,
  weeksSince,
} from "~/domain/goals/heat-map";
import { measureText } from "~/domain/goals/measure-text";
import type { DayTotals } from "~/domain/goals/recurrence";
import { type GoalMeasure, goalOn } from "~/domain/goals/target-changes";
import { isolateRtl } from "~/domain/isolated";
import type { Reader } from "~/domain/numbers";
import { useReader, useShell } from "~/hooks/use-shell";
import { Fold } from "./fold";

const CELL_PX = 14;
const CELL_SIDE_PX = 11;
const TOP_MARGIN_PX = 18;
const LEFT_MARGIN_PX = 32;
/** The name of a month is wider than its first week. */
const RIGHT_MARGIN_PX = 12;

type Props = { goal: Goal; measures: readonly GoalMeasure[]; days: readonly DayTotals[]; today: Day };

export function HeatMapChart({ goal, measures, days, today }: Props) {
  const { unit } = goal;
  const { timeZone } = useShell();
  const reader = useReader();
  const measure = measureOf(days);
  const targetOn = (day: Day) => dailyTarget(goalOn(goal, measures, day), measure);
  const target = targetOn(today);
  const createdOn = dayAt(goal.createdAt, timeZone);
  // A log may be older than its goal.
  const firstDay = [createdOn, ...days.map(({ day }) => day)].sort()[0] ?? createdOn;
  const weeks = heatMap(days, measure, today, { weeks: weeksSince(firstDay, today), targetOn });
  const total = weeks.reduce((sum, week) => sum + week.total, 0);
  const activeDays = weeks.flatMap((week) => week.days).filter(({ value }) => value > 0).length;
  // The sentences are English, whatever the unit's script.
  const valueText = (value: number) => isolateRtl(measureText(value, measure, unit, reader));
  const summary = `${valueText(total)} on ${activeDays} ${activeDays === 1 ? "day" : "days"} in the last year`;
  const scale = target === null ? "" : ` Full colour: ${valueText(target)} on that day.`;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{`${summary}.${scale}`}</p>
      <section
        className="max-w-full overflow-x-auto"
        // Right to left, so that a narrow screen begins at the newest week.
        dir="rtl"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari gives the keyboard no focus in a scrolling box.
        tabIndex={0}
        aria-label="The year, day by day"
      >
        <DaySquares
          weeks={weeks}
          today={today}
          measure={measure}
          unit={unit}
          label={`Calendar: ${summary}`}
        />
      </section>
      <Fold title="Week by week" isOpen={false}>
        <WeekTable weeks={weeks} measure={measure} unit={unit} />
      </Fold>
    </div>
  );
}

type TableProps = { weeks: readonly HeatWeek[]; measure: Measure; unit: string };
type SquaresProps = TableProps & { today: Day; label: string };

const FILLS = [
  "var(--line)",
  ...[30, 55, 80, 100].map((share) => `color-mix(in oklab, var(--pine) ${share}%, var(--line))`),
];

function DaySquares({ weeks, today, measure, unit, label }: SquaresProps) {
  const reader = useReader();
  const { locale } = reader;
  const id = `heat${useId().replaceAll(":", "")}`;
  const dateText = dayFormat(locale);
  const width = LEFT_MARGIN_PX + weeks.length * CELL_PX + RIGHT_MARGIN_PX;
  return (
    <svg
      viewBox={`0 0 ${width} ${TOP_MARGIN_PX + 7 * CELL_PX}`}
      role="img"
      aria-label={label}
      className="heat-map mr-auto h-auto w-full"
      style={{ minWidth: width, maxWidth: width * 1.5 }}
      direction="ltr"
    >
      <g fill="var(--soft)" fontSize="10">
        {monthMarks(weeks, locale).map(({ column, text }) => (
          <text key={column} x={LEFT_MARGIN_PX + column * CELL_PX} y="10">
            {text}
          </text>
        ))}
        {["Mon", "Wed", "Fri"].map((name, index) => (
          <text key={name} x="0" y={TOP_MARGIN_PX + index * 2 * CELL_PX + 9}>
            {name}
          </text>
        ))}
      </g>
      <defs>
        <pattern
          id={id}
          x={LEFT_MARGIN_PX}
          y={TOP_MARGIN_PX}
          width={CELL_PX}
          height={CELL_PX}
          patternUnits="userSpaceOnUse"
        >
          <rect width={CELL_SIDE_PX} height={CELL_SIDE_PX} rx="2" fill="var(--line)" className="is-empty" />
        </pattern>
      </defs>
      {/* Empty days are one pattern, so that the page only contains days with progress. */}
      <rect
        x={LEFT_MARGIN_PX}
        y={TOP_MARGIN_PX}
        width={(weeks.length - 1) * CELL_PX}
        height={7 * CELL_PX}
        fill={`url(#${id})`}
      />
      <rect
        x={LEFT_MARGIN_PX + (weeks.length - 1) * CELL_PX}
        y={TOP_MARGIN_PX}
        width={CELL_PX}
        height={(weeks.at(-1)?.days.length ?? 0) * CELL_PX}
        fill={`url(#${id})`}
      />
      {weeks.map((week, column) =>
        week.days.map(
          ({ day, value, level, isSkipped }, row) =>
            (level > 0 || isSkipped || day === today) && (
              <rect
                key={day}
                x={LEFT_MARGIN_PX + column * CELL_PX}
                y={TOP_MARGIN_PX + row * CELL_PX}
                width={CELL_SIDE_PX}
                height={CELL_SIDE_PX}
                rx="2"
                className={clsx(`is-level-${level}`, day === today && "is-today")}
                fill={FILLS[level]}
                stroke={day === today ? "var(--ink)" : isSkipped ? "var(--dusk)" : undefined}
                strokeDasharray={isSkipped ? "2 2" : undefined}
              >
                <title>{`${dateText(day)}: ${dayText({ value, isSkipped }, measure, unit, reader)}`}</title>
              </rect>
            ),
        ),
      )}
    </svg>
  );
}

type CountedDay = { value: number; isSkipped: boolean };
function dayText({ value, isSkipped }: CountedDay, measure: Measure, unit: string, reader: Reader): string {
  if (value !== 0) return measureText(value, measure, unit, reader);
  return isSkipped ? "skipped" : "nothing yet";
}

function WeekTable({ weeks, measure, unit }: TableProps) {
  const reader = useReader();
  const { locale } = reader;
  const dateText = dayFormat(locale);
  const shownWeeks = [...weeks].reverse().filter((week, index) => index < 4 || week.total !== 0);
  return (
    <table className="w-full">
      <caption className="sr-only">Weekly totals, newest first</caption>
      <thead>
        <tr className="border-b border-line text-sm text-soft">
          <th scope="col" className="py-1 text-start font-normal">
            Week of
          </th>
          <th scope="col" className="py-1 text-end font-normal">
            Days
          </th>
          <th scope="col" className="py-1 text-end font-normal">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {shownWeeks.map((week) => (
          <tr key={week.monday} className="border-b border-line">
            <th scope="row" className="py-1.5 text-start font-normal">
              {dateText(week.monday)}
            </th>
            <td className="tabular py-1.5 text-end">{week.days.filter(({ value }) => value > 0).length}</td>
            <td className="tabular py-1.5 text-end">{measureText(week.total, measure, unit, reader)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A calendar day in words. A day is no instant, so no time zone applies. */
function dayFormat(locale: string): (day: Day) => string {
  const format = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return (day) => format.format(Date.parse(`${day}T12:00:00Z`));
}

/** Month names above the first week that begins in them. */
function monthMarks(weeks: readonly HeatWeek[], locale: string): { column: number; text: string }[] {
  const format = new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" });
  return weeks.flatMap((week, column) => {
    const previous = weeks[column - 1];
    if (column > 0 && (!previous || previous.monday.slice(0, 7) === week.monday.slice(0, 7))) return [];
    if (column === 0 && weeks[2] && weeks[2].monday.slice(0, 7) !== week.monday.slice(0, 7)) return [];
    return [{ column, text: format.format(Date.parse(`${week.monday}T12:00:00Z`)) }];
  });
}
