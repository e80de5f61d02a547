import { expect, test } from "vitest";
import { deleteToast, toastCookie, toastOf } from "./toast.server";

const asked = (cookie: string, url = "https://bothy.example/account") =>
  new Request(url, { headers: { Cookie: cookie } });

test("M-19 the toast of an action reaches the next document, whose response deletes it", () => {
  for (const url of ["https://bothy.example/account", "http://localhost:8787/account"]) {
    const set = toastCookie(new Request(url), "Done; 100 %");
    const next = asked(`theme=dark; ${set.split(";")[0]}`, url);
    expect(toastOf(next)).toBe("Done; 100 %");
    const headers = new Headers({ "Set-Cookie": "login=1" });
    deleteToast(next, headers);
    const name = set.split("=")[0];
    expect(headers.getSetCookie()).toEqual([
      "login=1",
      expect.stringContaining(`${name}=; Path=/; Max-Age=0;`),
    ]);
  }
});

test("M-19 a document without a toast sets no cookie, and a malformed or empty toast shows nothing", () => {
  const headers = new Headers();
  deleteToast(asked("toasted=1; theme=dark"), headers);
  expect(headers.getSetCookie()).toEqual([]);
  for (const cookie of ["", "__Host-toast=", "__Host-toast=%E0%A4", "toast=plain"])
    expect(toastOf(asked(cookie)), cookie).toBeNull();
});
