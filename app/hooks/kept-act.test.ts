// An act that waits for a sign-in, and its tab.
import { beforeEach, expect, test, vi } from "vitest";
import { forgetAct, keepAct, takeAct } from "./kept-act";

class Shelf extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}
beforeEach(() => {
  vi.useRealTimers();
  vi.stubGlobal("sessionStorage", new Shelf());
});
const formOf = (fields: Record<string, string | Blob>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return { action: "/sessions/7", fields: form };
};

test("R-71 an act is kept in the tab and taken once, under its request key and without the page's mark", () => {
  keepAct(formOf({ intent: "join", joinCode: "pinecone", uuid: "u", madeFor: "visitor" }));
  const act = takeAct();
  expect(act?.action).toBe("/sessions/7");
  expect(Object.fromEntries(act?.fields ?? [])).toEqual({
    intent: "join",
    joinCode: "pinecone",
    uuid: "u",
    stay: "",
  });
  expect(takeAct()).toBe(null);
});

test("R-71 an act is gone after ten minutes, and when its modal is closed", () => {
  vi.useFakeTimers();
  keepAct(formOf({ intent: "follow" }));
  vi.advanceTimersByTime(10 * 60_000);
  expect(takeAct()).toBe(null);
  keepAct(formOf({ intent: "follow" }));
  forgetAct();
  expect(takeAct()).toBe(null);
});

test("R-71 no secret and no file is kept", () => {
  keepAct(formOf({ intent: "save", currentPassword: "several plain words" }));
  expect(takeAct()).toBe(null);
  keepAct(formOf({ intent: "upload", file: new Blob(["x"]) }));
  expect(takeAct()).toBe(null);
});
