// Renders toasts with sonner, in our style. Its element moves into the topmost dialog, because a modal dialog makes
// everything outside it inert.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { Icon, type IconName } from "~/components/pictures/icon";
import { focusPlace, titleOfPage } from "~/hooks/keep-focus";
import { type ToastKind, type ToastOrder, takeToasts } from "~/hooks/toasts";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import { useCall } from "~/hooks/use-call";
import { CloseCross } from "./dialog";
import { DIALOG_CHANGE } from "./dialog-change";
import { type Look, toastStack } from "./toast-stack";
import { toastsShift } from "./toasts-shift";

const MAX_VISIBLE = 20;
/** Screen readers ignore the initial content of a live region, so the first toast waits until the region exists. */
const ANNOUNCE_AFTER_MS = 150;
/** How long the toasts wait before they follow a change of the page: a running timer changes it in every frame. */
const SETTLE_MS = 100;
const KIND_STYLES: Record<ToastKind, { icon: IconName; kindName: string; iconClass: string }> = {
  success: { icon: "check", kindName: "Done", iconClass: "text-pine" },
  info: { icon: "info", kindName: "Note", iconClass: "text-dusk" },
  warning: { icon: "warning", kindName: "Careful", iconClass: "text-ember" },
  error: { icon: "close", kindName: "Error", iconClass: "text-red" },
};

/** Sonner's timers wait while the pointer is over the toasts; while the focus is in them, no toast ends. */
const stack = toastStack({
  isNarrow: () => matchMedia("(max-width: 639px)").matches,
  // Read from the page, because a focused toast that disappears sends no event.
  isHeld: () => document.activeElement?.closest("#toasts") != null,
  draw(key, { order, others, isHeld }) {
    sonner.custom(() => <ToastCard order={order} others={others} toastKey={key} />, {
      id: key,
      duration: isHeld ? Number.POSITIVE_INFINITY : order.duration,
      unstyled: true,
      className: "w-full",
      onDismiss: () => stack.end(key),
      onAutoClose: () => stack.end(key),
    });
  },
  clear: (key) => sonner.dismiss(key),
});

/** The focused element before the focus entered the toasts. */
let focusBefore: Element | null = null;

/**
 * Does not scroll, because the focus came by Tab from the foot of the page, and an Undo that makes the page longer moves
 * the foot off the screen.
 */
function returnFocus(): void {
  if (focusBefore instanceof HTMLElement && focusBefore.isConnected && focusBefore.closest("main, dialog"))
    focusBefore.focus({ preventScroll: true });
  else focusPlace(titleOfPage());
}

const ACTION_LOOK =
  "mt-1 inline-flex min-h-11 shrink-0 items-center font-semibold text-ember underline underline-offset-4 max-sm:mt-0";

/** The call goes on after the toast has closed. */
function Undo({ call, input, onPress }: ToastOrder["undo"] & {} & { onPress: () => void }) {
  const { run } = useCall({ success: "Undone.", retries: true });
  return (
    <button
      type="button"
      className={ACTION_LOOK}
      onClick={() => {
        void run(call, input);
        onPress();
      }}
    >
      Undo
    </button>
  );
}

type CardProps = Pick<Look, "order" | "others"> & { toastKey: string };

function ToastCard({ order, others, toastKey }: CardProps) {
  const { icon, kindName, iconClass } = KIND_STYLES[order.kind];
  const text = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  const [isWhole, setWhole] = useState(false);
  useBrowserLayoutEffect(() => {
    const { current } = text;
    setCut(current !== null && current.scrollWidth > current.clientWidth);
  }, [order.content, others]);
  // Sonner forgets a dismissal that comes before it has drawn the toast.
  useEffect(() => {
    if (!stack.isShown(toastKey)) sonner.dismiss(toastKey);
  }, [toastKey]);
  const close = () => {
    stack.close(order.id);
    if (document.activeElement?.closest("#toasts")) returnFocus();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keys use the button.
    <div
      className="flex w-full items-start gap-3 rounded-md border border-line bg-raised py-2 ps-4 pe-1 text-ink shadow-float max-sm:gap-2 max-sm:py-0 max-sm:ps-3"
      onClick={close}
    >
      <Icon name={icon} className={clsx("mt-3", iconClass)} />
      <div className="min-w-0 flex-1 self-center py-1 max-sm:flex max-sm:items-center max-sm:gap-x-2 max-sm:py-0">
        <span className="sr-only">{kindName}: </span>
        {/* On a phone the text is one line, and a button shows the whole. */}
        <div ref={text} className={clsx("min-w-0 flex-1", isWhole ? "max-sm:py-2" : "max-sm:truncate")}>
          {order.title && <p className="font-semibold max-sm:inline">{order.title} </p>}
          {order.content}
        </div>
        {order.undo && <Undo {...order.undo} onPress={close} />}
        {order.action?.to !== undefined && (
          <Link to={order.action.to} className={ACTION_LOOK}>
            {order.action.label}
          </Link>
        )}
        {order.action && order.action.to === undefined && (
          <button
            type="button"
            className={ACTION_LOOK}
            onClick={() => {
              order.action?.onClick?.();
              close();
            }}
          >
            {order.action.label}
          </button>
        )}
      </div>
      {isCut && !isWhole && (
        <button
          type="button"
          aria-label="Show the whole message"
          onClick={(event) => {
            event.stopPropagation();
            setWhole(true);
          }}
          className="grid size-11 shrink-0 place-content-center rounded-sm text-soft hover:text-ink sm:hidden"
        >
          <Icon name="arrow-down" />
        </button>
      )}
      {others > 0 && (
        <button
          type="button"
          aria-label={`Show ${others} more`}
          onClick={(event) => {
            event.stopPropagation();
            event.currentTarget.closest<HTMLElement>("[data-sonner-toaster]")?.focus();
            stack.open();
          }}
          className="tabular min-h-11 min-w-11 shrink-0 rounded-sm font-semibold text-soft hover:text-ink"
        >
          +{others}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={close}
        className="grid size-11 shrink-0 place-content-center rounded-sm text-soft hover:text-ink"
      >
        <CloseCross />
      </button>
    </div>
  );
}

export default function Toaster() {
  const [container] = useState(() => {
    const element = document.createElement("div");
    element.id = "toasts";
    return element;
  });

  useEffect(() => {
    const moveToTopDialog = () => {
      const dialogs = document.querySelectorAll<HTMLDialogElement>("dialog:modal");
      const parent = dialogs[dialogs.length - 1] ?? document.body;
      if (container.parentElement !== parent) parent.appendChild(container);
    };
    moveToTopDialog();
    document.addEventListener(DIALOG_CHANGE, moveToTopDialog);
    return () => {
      document.removeEventListener(DIALOG_CHANGE, moveToTopDialog);
      container.remove();
    };
  }, [container]);

  // Sonner would send the focus back whenever it leaves the toasts, so Tab could not pass them.
  useEffect(() => {
    const enter = (event: FocusEvent) => {
      event.stopPropagation();
      const from = event.relatedTarget;
      if (from instanceof Element && container.contains(from)) return;
      focusBefore = from instanceof Element ? from : null;
      stack.redraw();
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && container.contains(relatedTarget)) return;
      stack.redraw();
    };
    container.addEventListener("focusin", enter, true);
    container.addEventListener("focusout", leave);
    return () => {
      container.removeEventListener("focusin", enter, true);
      container.removeEventListener("focusout", leave);
    };
  }, [container]);

  useEffect(() => {
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => {
      stop = takeToasts(
        (order) => stack.add(order, !container.matches(":hover, :focus-within")),
        (id) => stack.close(id),
      );
    }, ANNOUNCE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [container]);

  useEffect(() => {
    let shift = 0;
    let shownToasts: readonly Element[] = [];
    const isInUse = () => container.matches(":hover, :focus-within");
    const updateShift = () => {
      shift = toastsShift(container, shift);
      container.style.setProperty("--toasts-shift", `${shift}px`);
    };
    const toastChanges = new MutationObserver(() => {
      const previous = shownToasts;
      shownToasts = [...container.querySelectorAll("[data-sonner-toast][data-removed=false]")];
      const isNew = shownToasts.some((toast) => !previous.includes(toast));
      // While toasts are in use, the end of one moves no other from under the pointer.
      if (isNew || (shownToasts.length < previous.length && !isInUse())) updateShift();
    });
    toastChanges.observe(container, { childList: true, subtree: true, attributeFilter: ["data-removed"] });
    // The page may change under a toast: the act behind it often removes a form, and buttons move up.
    let shiftTimer: ReturnType<typeof setTimeout> | undefined;
    const scheduleShift = () => {
      if (shownToasts.length === 0) return;
      shiftTimer ??= setTimeout(() => {
        shiftTimer = undefined;
        if (!isInUse()) updateShift();
      }, SETTLE_MS);
    };
    const pageResize = new ResizeObserver(scheduleShift);
    const pageChanges = new MutationObserver(scheduleShift);
    const observePage = () => {
      pageResize.disconnect();
      pageChanges.disconnect();
      const surroundings = container.closest("dialog") ?? document.querySelector("main");
      if (!surroundings) return;
      pageResize.observe(surroundings);
      pageChanges.observe(surroundings, { childList: true, subtree: true });
    };
    observePage();
    document.addEventListener(DIALOG_CHANGE, observePage);
    return () => {
      document.removeEventListener(DIALOG_CHANGE, observePage);
      clearTimeout(shiftTimer);
      toastChanges.disconnect();
      pageResize.disconnect();
      pageChanges.disconnect();
    };
  }, [container]);

  return createPortal(
    <Sonner
      containerAriaLabel="Status messages"
      position="top-right"
      visibleToasts={MAX_VISIBLE}
      expand
      gap={8}
      offset={{ top: "calc(var(--toasts-top, 72px) + var(--toasts-shift, 0px))", right: 16 }}
      mobileOffset={{
        top: "calc(var(--toasts-top, 68px) + var(--toasts-shift, 0px))",
        left: 12,
        right: 12,
      }}
    />,
    container,
  );
}
