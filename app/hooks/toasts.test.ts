// Toasts: how long each kind stays, and deduplication.
import { beforeEach, expect, test, vi } from "vitest";

let said: typeof import("./toasts");
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal("document", {});
  said = await import("./toasts");
});

type Shown = { kind: string; content: unknown; duration?: number; id: string };
const taken = (): Shown[] => {
  const shown: Shown[] = [];
  said.takeToasts(
    (order) => shown.push(order),
    () => {},
  );
  return shown;
};

test("K-01 toasts stay 5 s by default, validation warnings a minute, errors 10 s", () => {
  const { toast } = said;
  const shown = taken();
  toast.info("The session has started!");
  toast.success("Success!");
  toast.warning("Careful.");
  toast.error("That failed.");
  toast.validation(["Please set the challenge title."]);
  toast.success("Read me twice", { duration: 8000 });
  expect(shown.map(({ kind, duration }) => [kind, duration])).toEqual([
    ["info", 5000],
    ["success", 5000],
    ["warning", 8000],
    ["error", 10_000],
    ["warning", 60_000],
    ["success", 8000],
  ]);
});

test("K-01 a toast with an action stays 10 s, for Undo", () => {
  const { toast } = said;
  const shown = taken();
  toast.success("You have successfully left the hut.", { action: { label: "Undo", onClick: () => {} } });
  toast.error("That failed.", { action: { label: "Retry", onClick: () => {} } });
  expect(shown.map(({ duration }) => duration)).toEqual([10_000, 10_000]);
});

test("K-01 M-27 a sentence that asks for sign-in stays a minute, once, until the sign-in", () => {
  const { toast } = said;
  const shown: Shown[] = [];
  const closed: string[] = [];
  said.takeToasts(
    (order) => shown.push(order),
    (id) => closed.push(id),
  );
  toast.signIn("Please sign in to use that feature.");
  toast.signIn("Please sign in to use that feature.");
  expect(shown.map(({ kind, duration }) => [kind, duration])).toEqual([
    ["warning", 60_000],
    ["warning", 60_000],
  ]);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(1);
  toast.signedIn();
  expect(closed).toEqual([shown[0]?.id]);
});

test("V-27 a new attempt removes the warnings of the attempt before", () => {
  const { toast } = said;
  const closed: string[] = [];
  said.takeToasts(
    () => {},
    (id) => closed.push(id),
  );
  toast.validation(["One.", "Two."]);
  toast.validation(["Two."]);
  expect(closed).toEqual(["validation-One."]);
  toast.validation([]);
  expect(closed).toEqual(["validation-One.", "validation-Two."]);
});

test("each sentence of a list is a toast, and the same sentence replaces its toast", () => {
  const shown = taken();
  said.toast.errors(["One.", "Two.", "One."]);
  said.toast.errors(["Two."]);
  expect(shown.map(({ content }) => content)).toEqual(["One.", "Two.", "Two."]);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(2);
});

test("a toast before the toaster has loaded waits for it, and appears once", () => {
  let notified = 0;
  said.onFirstToast(() => {
    notified += 1;
  });
  said.toast.info("Early");
  expect(notified).toBe(1);
  expect(taken().map(({ content }) => content)).toEqual(["Early"]);
  expect(taken()).toEqual([]);
});
