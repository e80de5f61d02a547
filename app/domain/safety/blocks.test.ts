import { expect, test } from "vitest";
import { hiddenByUser } from "./blocks";

test("Q-11 a pair hides both ways, and a room without pairs hides nobody", () => {
  expect(hiddenByUser([], String)).toBeNull();
  const hidden = hiddenByUser([{ userId: 1, blockedId: 2 }], (id) => `u${id}`);
  expect(hidden?.get(1)).toEqual({ ids: new Set([2]), names: new Set(["u2"]) });
  expect(hidden?.get(2)).toEqual({ ids: new Set([1]), names: new Set(["u1"]) });
  expect(hidden?.get(3)).toBeUndefined();
});
