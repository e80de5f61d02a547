// The highlighted link of header and bottom bar.
import { expect, test } from "vitest";
import { isWithin } from "./navigation-links";

test("U-14 My Goals is highlighted on the pages of its pills, and on no other page", () => {
  const isGoals = (path: string) => isWithin("/my/goals", path);
  const pills = ["goals", "logs", "sessions", "series", "groups", "notes"].map((name) => `/my/${name}`);
  for (const path of [...pills, "/my/goals/3/logs", "/my/series/4"])
    expect([path, isGoals(path)]).toEqual([path, true]);
  for (const path of ["/my/notices", "/events", "/series/morning"])
    expect([path, isGoals(path)]).toEqual([path, false]);
});
