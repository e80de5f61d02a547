// Which toasts are on the screen, on a phone and elsewhere.
import { expect, test, vi } from "vitest";
import type { ToastOrder } from "~/hooks/toasts";
import { type Look, toastStack } from "./toast-stack";

/** A screen of a phone or not, with what it draws, and its own end of a toast. */
function screenOf(isPhone: boolean) {
  const drawn = new Map<string, Look>();
  const used = new Set<string>();
  let isHeld = false;
  const stack = toastStack({
    isNarrow: () => isPhone,
    isHeld: () => isHeld,
    draw(key, look) {
      if (!drawn.has(key)) expect(used).not.toContain(key);
      used.add(key);
      drawn.set(key, look);
    },
    // Like sonner, which reports the end of a toast that we clear.
    clear(key) {
      drawn.delete(key);
      stack.end(key);
    },
  });
  const looks = () => [...drawn.values()];
  return {
    stack,
    shown: () => looks().map(({ order, others }) => (others ? `${order.id} +${others}` : order.id)),
    held: () => looks().every(({ isHeld }) => isHeld),
    hold(held: boolean) {
      isHeld = held;
      stack.redraw();
    },
    /** Its time is over. */
    runOut: (id: string) => {
      const [key = ""] = [...drawn].find(([, { order }]) => order.id === id) ?? [];
      drawn.delete(key);
      stack.end(key);
    },
  };
}

const error = (id: string, more: Partial<ToastOrder> = {}): ToastOrder => ({
  kind: "error",
  content: id,
  id,
  ...more,
});

test("K-01 a wide screen shows all toasts", () => {
  const { stack, shown } = screenOf(false);
  for (const id of ["a", "b", "c"]) stack.add(error(id), true);
  expect(shown()).toEqual(["a", "b", "c"]);
  stack.close("b");
  expect(shown()).toEqual(["a", "c"]);
});

test("K-01 a phone shows the newest toast and counts the others, which come back when it has gone", () => {
  const { stack, shown, runOut } = screenOf(true);
  const onGone = vi.fn();
  stack.add(error("a", { onGone }), true);
  stack.add(error("b"), true);
  stack.add(error("c"), true);
  expect(shown()).toEqual(["c +2"]);
  expect(["a 1", "b 2", "c 3"].map(stack.isShown)).toEqual([false, false, true]);
  expect(onGone).not.toHaveBeenCalled();
  runOut("c");
  expect(shown()).toEqual(["b +1"]);
  stack.close("a");
  expect(onGone).toHaveBeenCalledTimes(1);
  expect(shown()).toEqual(["b"]);
});

test("K-01 a press on +2 opens all toasts in their order, until one is left", () => {
  const { stack, shown, runOut } = screenOf(true);
  for (const id of ["a", "b", "c"]) stack.add(error(id), true);
  stack.open();
  expect(shown()).toEqual(["a", "b", "c"]);
  stack.add(error("d"), true);
  expect(shown()).toEqual(["a", "b", "c", "d"]);
  for (const id of ["a", "b", "d"]) runOut(id);
  stack.add(error("e"), true);
  expect(shown()).toEqual(["e +1"]);
});

test("Y-03 a toast about the last act takes the place of the one before, but not of one with a button", () => {
  for (const isPhone of [true, false]) {
    const { stack, shown } = screenOf(isPhone);
    const done = (id: string, more: Partial<ToastOrder> = {}) =>
      stack.add({ ...error(id, more), kind: "success" }, true);
    done("a");
    done("b");
    expect(shown()).toEqual(["b"]);
    done("undo", { action: { label: "Undo" } });
    done("d");
    expect(shown()).toEqual(isPhone ? ["d +1"] : ["undo", "d"]);
  }
});

test("K-01 a toast with the id of an earlier one replaces it as the newest, and is not over", () => {
  const onGone = vi.fn();
  const { stack, shown } = screenOf(true);
  stack.add(error("a", { onGone }), true);
  stack.add(error("b"), true);
  stack.add(error("a", { onGone }), true);
  expect(shown()).toEqual(["a +1"]);
  expect(onGone).not.toHaveBeenCalled();
});

test("K-01 time rests for all toasts while they are held, and for one that comes meanwhile", () => {
  const { stack, hold, held } = screenOf(false);
  stack.add(error("a"), true);
  hold(true);
  stack.add(error("b"), false);
  expect(held()).toBe(true);
  hold(false);
  expect(held()).toBe(false);
});
