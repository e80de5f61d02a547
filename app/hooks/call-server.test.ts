// Tests of JSON calls from the browser: their addresses, and calls in flight.
import { expect, test } from "vitest";
import * as paths from "~/wire/paths";
import { addressOf, claimAddress } from "./call-server";

test("an address has a query only where values are given", () => {
  const at = (query: Record<string, string | undefined>) =>
    addressOf(paths.joinSession, { params: { event: 7 }, query });
  expect([at({ join_code: undefined }), at({ join_code: "a b" })]).toEqual([
    "/challenge-events/7/join",
    "/challenge-events/7/join?join_code=a+b",
  ]);
});

test("C-06 a second call to an address in flight is skipped, by any button, and one to another address is not", () => {
  const join = (event: number) => addressOf(paths.joinSession, { params: { event } });
  const release = claimAddress(join(7));
  expect(release).not.toBeNull();
  expect(claimAddress(join(7))).toBeNull();
  const other = claimAddress(join(8));
  expect(other).not.toBeNull();
  release?.();
  expect(claimAddress(join(8))).toBeNull();
  claimAddress(join(7))?.();
  other?.();
});
