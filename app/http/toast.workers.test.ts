import { expect, test } from "vitest";
import { deleteToast, toastCookie, toastOf } from "./toast.server";

const asked = (cookie: string, url = "https://bothy.example/account") =>
  new Request(url, { headers: { Cookie: cookie } });

test("M-19 the toast of an action reaches the next document, whose response deletes its cookie", () => {
  for (const url of ["https://bothy.example/account", "http://localhost:8787/account"]) {
    const done = { sentence: "Done; 100 % + 1 = naïve & so", log: null };
    const set = toastCookie(new Request(url), done);
    const next = asked(`theme=dark; ${set.split(";")[0]}`, url);
    expect(toastOf(next)).toEqual(done);
    const headers = new Headers({ "Set-Cookie": "login=1" });
    deleteToast(next, headers);
    const name = set.split("=")[0];
    expect(headers.getSetCookie()).toEqual([
      "login=1",
      expect.stringContaining(`${name}=; Path=/; Max-Age=0;`),
    ]);
  }
});

test("R-75 the toast of a log names the log, and any other text in its place names none", () => {
  const url = "http://localhost:8787/my/goals";
  const logged = { sentence: "+10 pages, 22 of 300", log: 1893585600000000 };
  expect(toastOf(asked(toastCookie(new Request(url), logged).split(";")[0] ?? "", url))).toEqual(logged);
  for (const log of ["", "0", "-1", "1.5", "1e3", "12x", "99999999999999999"])
    expect(toastOf(asked(`toast=Logged&log=${log}`, url))).toEqual({ sentence: "Logged", log: null });
});

test("M-19 a document without a toast sets no cookie, and a malformed or empty toast shows nothing", () => {
  const headers = new Headers();
  deleteToast(asked("toasted=1; theme=dark"), headers);
  expect(headers.getSetCookie()).toEqual([]);
  for (const cookie of ["", "__Host-toast=", "__Host-toast=%E0%A4", "__Host-toast=&log=12", "toast=plain"])
    expect(toastOf(asked(cookie)), cookie).toBeNull();
});
