import { expect, test } from "vitest";
import { type QuickLogButton, quickLogsOf } from "./goals";

const button = { uuid: "b", title: "A page", amount: 1000, status: 2 } as QuickLogButton;

test("U-17 a goal's own buttons are what one taps; one that counts and has none offers one more of it", () => {
  expect(quickLogsOf({ quickLogButtons: [button], amount: 10_000 })).toEqual([button]);
  expect(quickLogsOf({ quickLogButtons: [], amount: 10_000 })).toMatchObject([
    { uuid: "", amount: 1000, status: 2 },
  ]);
  for (const amount of [null, 0]) expect(quickLogsOf({ quickLogButtons: [], amount })).toEqual([]);
});
