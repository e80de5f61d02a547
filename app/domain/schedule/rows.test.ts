// Forms without JavaScript: from rows to a schedule.
import { expect, test } from "vitest";
import { seconds } from "~/domain/time";
import { part, schedule } from "./fixtures";
import { type PlainRow, scheduleFromRows } from "./rows";
import { partsInOrder } from "./shape";

let made = 0;
const makeId = () => `new${++made}`;
const row = (title: string, duration: string, isAutoStart = true, id?: string): PlainRow => ({
  id,
  title,
  duration,
  isAutoStart,
});
const words = (given: ReturnType<typeof scheduleFromRows>) =>
  given.schedule.groups
    .map(
      (group) =>
        `${group.isAutoStart ? "auto" : "host"}: ${group.parts.map((one) => `${one.title} ${one.duration}`).join(", ")}`,
    )
    .join(" | ");

test("new rows become parts, neighbours with the same start rule share a group, and empty rows are dropped", () => {
  const rows = [row("Warm up", "5m"), row("", ""), row("Run", "1:00:00"), row("Talk", "", false)];
  expect(words(scheduleFromRows({ groups: [] }, rows, makeId))).toBe(
    "auto: Warm up 300, Run 3600 | host: Talk 300",
  );
});

test("a row renames or resizes its part, an empty row removes it, and the last part takes its group along", () => {
  const base = schedule([part("a", 5), part("b", 5)], [part("c", 5)]);
  const rows = [row("A", "10m", true, "a"), row("", "", true, "c"), row("D", "1m")];
  const { schedule: next } = scheduleFromRows(base, rows, makeId);
  expect(next.groups.map((group) => group.parts.map((one) => `${one.title} ${one.duration}`))).toEqual([
    ["A 600", " 300"],
    ["D 60"],
  ]);
});

test("an interval timer keeps its length", () => {
  const base = schedule([
    part("a", 0, { intervals: [{ id: "i", title: "", duration: seconds(30) }], sets: 4 }),
  ]);
  const { schedule: next } = scheduleFromRows(base, [row("Sprints", "1h", true, "a")], makeId);
  expect(partsInOrder(next)[0]).toMatchObject({ title: "Sprints", duration: 120 });
});

test.each([
  ["90", /unit/],
  ["soon", /duration such as/],
  ["-5m", /negative/],
  ["0m", /^The duration cannot be 0$/],
])("T-17 a row's duration %j is refused at its row", (text, sentence) => {
  const { problems } = scheduleFromRows({ groups: [] }, [row("", ""), row("Run", text)], makeId);
  expect(problems).toEqual([{ row: 1, sentence: expect.stringMatching(sentence) }]);
});

test("the duration of a removed row is ignored, and an untouched group of goals stays", () => {
  const base = schedule([part("a", 5)], { type: "task", parts: [] });
  const { schedule: next, problems } = scheduleFromRows(base, [row(" ", " ", true, "a")], makeId);
  expect([next.groups.map(({ type }) => type), problems]).toEqual([["task"], []]);
});

test("a part without a row stays unchanged, and titles are trimmed", () => {
  const base = schedule([part("a", 5, { title: "Old" }), part("b", 5)]);
  const { schedule: next } = scheduleFromRows(base, [row(" New ", "10m", true, "b")], makeId);
  expect(partsInOrder(next).map(({ title, duration }) => [title, duration])).toEqual([
    ["Old", 300],
    ["New", 600],
  ]);
});
