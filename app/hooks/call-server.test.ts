// Tests of JSON calls from the browser: their addresses, and calls in flight.
import { expect, test } from "vitest";
import * as paths from "~/wire/paths";
import { addressOf, claimCall } from "./call-server";

test("an address has a query only where values are given", () => {
  const at = (query: Record<string, string | undefined>) =>
    addressOf(paths.joinSession, { params: { event: 7 }, query });
  expect([at({ join_code: undefined }), at({ join_code: "a b" })]).toEqual([
    "/challenge-events/7/join",
    "/challenge-events/7/join?join_code=a+b",
  ]);
});

test("C-06 a second call to an address in flight is skipped, by any button, and one to another address is not", () => {
  const join = (event: number) => claimCall(paths.joinSession, { params: { event } });
  const release = join(7);
  expect(release).not.toBeNull();
  expect(join(7)).toBeNull();
  const other = join(8);
  expect(other).not.toBeNull();
  release?.();
  expect(join(8)).toBeNull();
  join(7)?.();
  other?.();
});

test("C-06 a call about another record of the same address is sent, and a second one about the same record is skipped", () => {
  const log = (record: number) => claimCall(paths.storeQuickLog, { body: { goal_id: record }, record });
  const release = log(1);
  expect(log(1)).toBeNull();
  const other = log(2);
  expect(other).not.toBeNull();
  expect(log(2)).toBeNull();
  release?.();
  other?.();
});
