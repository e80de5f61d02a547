// The highlighted link of header and bottom bar.
import { expect, test } from "vitest";
import { isWithin } from "./navigation-links";

test("U-14 My Goals is highlighted on the pages of its pills, and on no other page", () => {
  const isGoals = (path: string) => isWithin("/my/goals", path);
  for (const path of ["/my/goals", "/my/goals/3/logs", "/my/logs", "/my/sessions", "/my/groups", "/my/notes"])
    expect([path, isGoals(path)]).toEqual([path, true]);
  for (const path of ["/my/series", "/my/series/4", "/my/notices", "/events"])
    expect([path, isGoals(path)]).toEqual([path, false]);
});
