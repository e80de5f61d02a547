// The page of the form of a new series, as the server renders it (G-06).
import { expect, test } from "vitest";
import { makeUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";

test("G-06 the form of a series shows no error before anything is typed, and one for a start that is not given", async () => {
  const host = await makeUser({ tokens: 5000 });
  const session = await makeSession(host);
  const page = async (query: string) =>
    (await visit(host, `/my/series?session=${session.id}${query}`)).html.replace(
      /<script.*?<\/script>/gs,
      "",
    );
  const untyped = await page("");
  expect(untyped).toContain("Show the dates");
  expect(untyped).not.toContain("Please choose the first start.");
  for (const query of ["&startedAt=", "&startedAt=soon&every=WEEKLY"])
    expect(await page(query), query).toContain("Please choose the first start.");
});
