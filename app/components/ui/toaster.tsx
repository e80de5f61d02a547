// Renders toasts with sonner, in our look. Its element moves into the topmost dialog, because a modal dialog makes
// everything outside it inert.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { Icon, type IconName } from "~/components/pictures/icon";
import { focusPlace, titleOfPage } from "~/hooks/kept-focus";
import { type ToastKind, type ToastOrder, takeToasts } from "~/hooks/toasts";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import { useCall } from "~/hooks/use-call";
import { CloseCross } from "./dialog";
import { DIALOG_CHANGE } from "./dialog-change";
import { type Look, toastStack } from "./toast-stack";
import { toastsShift } from "./toasts-shift";

const MAX_VISIBLE = 20;
/** Screen readers ignore the initial content of a live region, so the first toast waits until the region exists. */
const HEARD_AFTER_MS = 150;
/** A running timer changes its page in every frame. */
const SETTLE_MS = 100;
const looks: Record<ToastKind, { icon: IconName; word: string; look: string }> = {
  success: { icon: "check", word: "Done", look: "text-pine" },
  info: { icon: "info", word: "Note", look: "text-dusk" },
  warning: { icon: "warning", word: "Careful", look: "text-ember" },
  error: { icon: "close", word: "Error", look: "text-red" },
};

/** Sonner's timers wait while the pointer is over the toasts; while the focus is in them, no toast ends. */
const stack = toastStack({
  isNarrow: () => matchMedia("(max-width: 639px)").matches,
  // Read from the page, because a focused toast that disappears sends no event.
  isHeld: () => document.activeElement?.closest("#toasts") != null,
  draw(key, { order, others, isHeld }) {
    sonner.custom(() => <ToastCard order={order} others={others} shownAs={key} />, {
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

/** Where the focus was before it entered the toasts. */
let cameFrom: Element | null = null;

/**
 * It does not scroll: Tab comes from the foot of the page, which leaves the screen when an Undo makes the page longer.
 */
function returnFocus(): void {
  if (cameFrom instanceof HTMLElement && cameFrom.isConnected && cameFrom.closest("main, dialog"))
    cameFrom.focus({ preventScroll: true });
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

type CardProps = Pick<Look, "order" | "others"> & { shownAs: string };

function ToastCard({ order, others, shownAs }: CardProps) {
  const { icon, word, look } = looks[order.kind];
  const text = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  const [isWhole, setWhole] = useState(false);
  useBrowserLayoutEffect(() => {
    const { current } = text;
    setCut(current !== null && current.scrollWidth > current.clientWidth);
  }, [order.content, others]);
  // Sonner forgets a dismissal that comes before it has drawn the toast.
  useEffect(() => {
    if (!stack.isShown(shownAs)) sonner.dismiss(shownAs);
  }, [shownAs]);
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
      <Icon name={icon} className={clsx("mt-3", look)} />
      <div className="min-w-0 flex-1 self-center py-1 max-sm:flex max-sm:items-center max-sm:gap-x-2 max-sm:py-0">
        <span className="sr-only">{word}: </span>
        {/* On a phone one line, the whole by a press. */}
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
  const [place] = useState(() => {
    const element = document.createElement("div");
    element.id = "toasts";
    return element;
  });

  useEffect(() => {
    const settle = () => {
      const dialogs = document.querySelectorAll<HTMLDialogElement>("dialog:modal");
      const home = dialogs[dialogs.length - 1] ?? document.body;
      if (place.parentElement !== home) home.appendChild(place);
    };
    settle();
    document.addEventListener(DIALOG_CHANGE, settle);
    return () => {
      document.removeEventListener(DIALOG_CHANGE, settle);
      place.remove();
    };
  }, [place]);

  // Sonner would send the focus back whenever it leaves the toasts, so Tab could not pass them.
  useEffect(() => {
    const enter = (event: FocusEvent) => {
      event.stopPropagation();
      const from = event.relatedTarget;
      if (from instanceof Element && place.contains(from)) return;
      cameFrom = from instanceof Element ? from : null;
      stack.redraw();
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && place.contains(relatedTarget)) return;
      stack.redraw();
    };
    place.addEventListener("focusin", enter, true);
    place.addEventListener("focusout", leave);
    return () => {
      place.removeEventListener("focusin", enter, true);
      place.removeEventListener("focusout", leave);
    };
  }, [place]);

  useEffect(() => {
    let stop: (() => void) | undefined;
    const begin = setTimeout(() => {
      stop = takeToasts(
        (order) => stack.add(order, !place.matches(":hover, :focus-within")),
        (id) => stack.close(id),
      );
    }, HEARD_AFTER_MS);
    return () => {
      clearTimeout(begin);
      stop?.();
    };
  }, [place]);

  useEffect(() => {
    let shift = 0;
    let shown: readonly Element[] = [];
    const isInUse = () => place.matches(":hover, :focus-within");
    const settle = () => {
      shift = toastsShift(place, shift);
      place.style.setProperty("--toasts-shift", `${shift}px`);
    };
    const toasts = new MutationObserver(() => {
      const previous = shown;
      shown = [...place.querySelectorAll("[data-sonner-toast][data-removed=false]")];
      const isNew = shown.some((toast) => !previous.includes(toast));
      // While toasts are in use, the end of one moves no other from under the pointer.
      if (isNew || (shown.length < previous.length && !isInUse())) settle();
    });
    toasts.observe(place, { childList: true, subtree: true, attributeFilter: ["data-removed"] });
    // The page may change under a toast: the act behind it often removes a form, and buttons move up.
    let later: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      if (shown.length === 0) return;
      later ??= setTimeout(() => {
        later = undefined;
        if (!isInUse()) settle();
      }, SETTLE_MS);
    };
    const page = new ResizeObserver(follow);
    const parts = new MutationObserver(follow);
    const watch = () => {
      page.disconnect();
      parts.disconnect();
      const around = place.closest("dialog") ?? document.querySelector("main");
      if (!around) return;
      page.observe(around);
      parts.observe(around, { childList: true, subtree: true });
    };
    watch();
    document.addEventListener(DIALOG_CHANGE, watch);
    return () => {
      document.removeEventListener(DIALOG_CHANGE, watch);
      clearTimeout(later);
      toasts.disconnect();
      page.disconnect();
      parts.disconnect();
    };
  }, [place]);

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
    place,
  );
}
