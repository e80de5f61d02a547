import { expect, test } from "vitest";
import type { ReportTarget } from "./report-targets";
import { placeOfReport } from "./reports";

test("Q-07 only the id of a chat line names its session", () => {
  expect(placeOfReport({ kind: "message", id: "7:3" }, "/")).toEqual({ kind: "session", session: 7 });
  const others: ReportTarget["kind"][] = ["post", "item", "person", "session"];
  for (const kind of others) expect(placeOfReport({ kind, id: "7:3" } as ReportTarget, "/"), kind).toBeNull();
});
