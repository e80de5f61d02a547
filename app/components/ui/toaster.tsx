// Renders toasts with sonner, in our look. Its element moves into the topmost dialog, because a modal dialog makes
// everything outside it inert.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { Icon, type IconName } from "~/components/pictures/icon";
import { type ToastKind, type ToastOrder, takeToasts } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import { CloseCross } from "./dialog";
import { DIALOG_CHANGE } from "./dialog-change";
import { toastsShift } from "./toasts-shift";

const MAX_VISIBLE = 20;
/** Screen readers ignore the initial content of a live region, so the first toast waits until the region exists. */
const HEARD_AFTER_MS = 150;
const looks: Record<ToastKind, { icon: IconName; word: string; look: string }> = {
  success: { icon: "check", word: "Done", look: "text-pine" },
  info: { icon: "info", word: "Note", look: "text-dusk" },
  warning: { icon: "warning", word: "Careful", look: "text-ember" },
  error: { icon: "close", word: "Error", look: "text-red" },
};

/** Sonner's timers wait while the pointer is over the toasts; while the focus is in them, no toast ends. */
const onScreen = new Map<string, ToastOrder>();
function show(order: ToastOrder, isHeld: boolean): void {
  onScreen.set(order.id, order);
  const forget = () => {
    onScreen.delete(order.id);
    order.onGone?.();
  };
  sonner.custom(() => <ToastCard order={order} />, {
    id: order.id,
    duration: isHeld ? Number.POSITIVE_INFINITY : order.duration,
    unstyled: true,
    className: "w-full",
    onDismiss: forget,
    onAutoClose: forget,
  });
}

/** One message at a time (Y-03): what was done last takes the place of what was done before, unless it has a button. */
const saysWhatWasDone = ({ kind }: ToastOrder): boolean => kind === "success" || kind === "info";
function closeEarlier(order: ToastOrder): void {
  if (!saysWhatWasDone(order)) return;
  for (const earlier of [...onScreen.values()])
    if (
      earlier.id !== order.id &&
      saysWhatWasDone(earlier) &&
      !earlier.action &&
      !earlier.undo &&
      !earlier.isKept
    )
      sonner.dismiss(earlier.id);
}

/** Where the focus was before it entered the toasts. */
let cameFrom: Element | null = null;

const ACTION_LOOK =
  "mt-1 inline-flex min-h-11 items-center font-semibold text-ember underline underline-offset-4";

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

function ToastCard({ order }: { order: ToastOrder }) {
  const { icon, word, look } = looks[order.kind];
  const close = () => {
    // The focus that leaves shows again what is on the screen.
    onScreen.delete(order.id);
    sonner.dismiss(order.id);
    if (cameFrom instanceof HTMLElement && document.activeElement?.closest("#toasts"))
      cameFrom.focus({ preventScroll: true });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keys use the button.
    <div
      className="flex w-full items-start gap-3 rounded-md border border-line bg-raised py-2 ps-4 pe-1 text-ink shadow-float"
      onClick={order.isKept ? undefined : close}
    >
      <Icon name={icon} className={clsx("mt-3", look)} />
      <div className="min-w-0 flex-1 self-center py-1">
        <span className="sr-only">{word}: </span>
        {order.title && <p className="font-semibold">{order.title}</p>}
        <div>{order.content}</div>
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
      {!order.isKept && (
        <button
          type="button"
          aria-label="Dismiss"
          onClick={close}
          className="grid size-11 shrink-0 place-content-center rounded-sm text-soft hover:text-ink"
        >
          <CloseCross />
        </button>
      )}
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
      for (const order of [...onScreen.values()]) show(order, true);
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && place.contains(relatedTarget)) return;
      for (const order of [...onScreen.values()]) show(order, false);
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
        (order) => {
          if (!place.matches(":hover, :focus-within")) closeEarlier(order);
          show(order, place.contains(document.activeElement));
        },
        (id) => sonner.dismiss(id),
      );
    }, HEARD_AFTER_MS);
    return () => {
      clearTimeout(begin);
      stop?.();
    };
  }, [place]);

  useEffect(() => {
    let shift = 0;
    let count = 0;
    const settle = () => {
      shift = toastsShift(place, shift);
      place.style.setProperty("--toasts-shift", `${shift}px`);
    };
    const toasts = new MutationObserver(() => {
      const before = count;
      count = place.querySelectorAll("[data-sonner-toast][data-removed=false]").length;
      // A toast that ends moves no other from under the pointer.
      if (count > before) settle();
    });
    toasts.observe(place, { childList: true, subtree: true });
    // The page may change under a toast: what led to it often takes a form away, and buttons move up.
    const page = new ResizeObserver(() => {
      if (count > 0 && !place.matches(":hover, :focus-within")) settle();
    });
    const main = document.querySelector("main");
    if (main) page.observe(main);
    return () => {
      toasts.disconnect();
      page.disconnect();
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
