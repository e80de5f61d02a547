// The contents of a new local database, by the arguments of `npm start`.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce, readFilling } from "./run-local.mjs";

const asked: string[] = [];
let printed = "";
beforeEach(() => {
  asked.length = 0;
  printed = "";
  for (const way of ["log", "error"] as const)
    vi.spyOn(console, way).mockImplementation((text) => {
      printed += text;
    });
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(new URL(url).pathname);
    const accounts = [{ role: "host", email: "host@example.com", password: "secret" }];
    return Response.json({ accounts, tryThis: ["Join"] });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  [[], ["/local/seed"], true],
  [["--no-demo"], ["/local/library"], false],
  [["--bare"], [], false],
] as const)(
  "H-08 npm start with %j asks for %j, and prints accounts of the demo: %s",
  async (args, paths, hasAccounts) => {
    await announce("http://127.0.0.1:1", 1, readFilling("npm start", [...args]));
    expect(asked).toEqual(paths);
    expect(printed).toContain("is at http://127.0.0.1:1");
    expect(printed.includes("host@example.com")).toBe(hasAccounts);
  },
);

test.each([[["--nodemo"]], [["--bare", "--no-demo"]], [["constructor"]]])(
  "H-08 npm start with %j ends with its usage",
  (args) => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => {
      throw new Error("ended");
    });
    expect(() => readFilling("npm start", args)).toThrow("ended");
    expect(exit).toHaveBeenCalledWith(1);
    expect(printed).toBe("Usage: npm start [-- --no-demo | --bare]");
  },
);
