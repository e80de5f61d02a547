// Stored JSON with distances (H-07).
import { expect, test } from "vitest";
import { readDistances, writeDistances } from "./distance-json";

test("H-07 stored JSON keeps its millimetres, and the last release reads its miles there", () => {
  const buttons = [
    { uuid: "a", distance: 8_000_001 },
    { uuid: "b", distance: null },
  ];
  const written = writeDistances({ goals: [{ distance: -1_609_344, buttons }] });
  expect(readDistances(written)).toEqual({ goals: [{ distance: -1_609_344, buttons }] });
  expect(JSON.parse(written).goals[0]).toMatchObject({ distance: -1000, buttons: [{ distance: 4971 }, {}] });
  expect(readDistances('{"distance":5000}')).toEqual({ distance: 8_046_720 });
});
