import { expect, test } from "vitest";
import { seconds } from "~/domain/time";
import { outlineOf } from "./outline";
import { newPart, newPartGroup, type Schedule } from "./shape";

const part = (title: string, length: number) => ({ ...newPart(title), title, duration: seconds(length) });
const group = (more: Partial<Schedule["groups"][number]>, ...parts: ReturnType<typeof part>[]) => ({
  ...newPartGroup("g"),
  ...more,
  parts,
});

test("an activity shows its timers in order, repeats included", () => {
  const schedule: Schedule = {
    groups: [group({}, part("Warm-up", 600)), group({ sets: 2 }, part("Up", 240), part("", 180))],
  };
  expect(outlineOf(schedule, false).map(({ title, seconds }) => [title, seconds])).toEqual([
    ["Warm-up", 600],
    ["Up", 240],
    ["Timer", 180],
    ["Up", 240],
    ["Timer", 180],
  ]);
  expect(new Set(outlineOf(schedule, false).map(({ id }) => id)).size).toBe(5);
});

test("a hidden group hides its titles", () => {
  const schedule: Schedule = { groups: [group({ isHidden: true }, part("Surprise", 600))] };
  expect(outlineOf(schedule, false)[0]?.title).toBe("Not revealed yet");
  expect(outlineOf(schedule, true)[0]?.title).toBe("Surprise");
});

test("a thousand repeats do not make a thousand segments", () => {
  expect(outlineOf({ groups: [group({ sets: 1000 }, part("Up", 60))] }, false)).toHaveLength(60);
});
