// The comparison of the tables of routes under `npm run dev`.
import { expect, test } from "vitest";
import { withoutVersion } from "./dev-server";

test("P6 a table of routes counts as unchanged when its random version alone differs", () => {
  const table = (version: string, url: string) =>
    `export default {'version':'${version}','url':'${url}','routes':{'root':{'id':'root','hasLoader':true}}};`;
  expect(withoutVersion(table("0.12", "/a"))).toBe(withoutVersion(table("0.345", "/a")));
  expect(withoutVersion(table("0.12", "/a"))).not.toBe(withoutVersion(table("0.12", "/b")));
});
