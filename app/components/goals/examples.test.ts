import { expect, test } from "vitest";
import { instant } from "~/domain/time";
import { exampleLog } from "./examples";

test("U-18 the example log has amount 1, duration 900, status 1, and is timed", () => {
  expect(exampleLog(instant(1_800_000_000_000))).toMatchObject({
    amount: 1000,
    duration: 900,
    status: 1,
    isTimed: true,
  });
});
