// paths.ts is generated from the declarations: `vitest run --project unit app/wire/paths-file -u` writes it.
import { expect, test } from "vitest";
import { everyCall } from "#tests/support/every-call";

const HEADER =
  "// Method and path of each JSON call, generated from calls.ts (C-01). The browser imports it, so that no schema enters\n// a page.\n";

test("C-01 paths.ts names every call", async () => {
  const lines = Object.entries(everyCall).map(
    ([name, { method, path }]) => `export const ${name} = ["${method}", "${path}"] as const;\n`,
  );
  await expect(HEADER + lines.join("")).toMatchFileSnapshot("./paths.ts");
});
