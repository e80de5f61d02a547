// A modal dialog on the native <dialog>, which manages focus, Escape and the backdrop. The server renders an open one,
// so that a dialog opened by URL works without JavaScript.
import { Link, useNavigate } from "@remix-run/react";
import clsx from "clsx";
import { type ReactNode, useId, useRef } from "react";
import { Icon } from "~/components/pictures/icon";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import { notifyDialogChange } from "./dialog-change";

export type DialogProps = {
  title: ReactNode;
  /** Mount it only while open, or pass `isOpen`. */
  isOpen?: boolean;
  onClose?: () => void;
  /** The URL after closing, for a dialog that the URL opens. */
  closeTo?: string;
  isTitleHidden?: boolean;
  description?: ReactNode;
  footer?: ReactNode;
  width?: "sm" | "md" | "lg";
  /** Rises from the bottom on phones. */
  isSheet?: boolean;
  role?: "dialog" | "alertdialog";
  children?: ReactNode;
};

const widths = { sm: "24rem", md: "30rem", lg: "46rem" };

export function Dialog({ isOpen = true, ...props }: DialogProps) {
  return isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: Omit<DialogProps, "isOpen">) {
  const {
    title,
    onClose,
    closeTo,
    isTitleHidden,
    description,
    footer,
    width = "md",
    isSheet = true,
    role,
    children,
  } = props;
  const id = useId();
  const navigate = useNavigate();
  const dialogRef = useRef<HTMLDialogElement>(null);
  const pressStartedOutside = useRef(false);
  const isUnmounting = useRef(false);

  useBrowserLayoutEffect(() => {
    const dialog = dialogRef.current;
    if (!dialog) return;
    isUnmounting.current = false;
    if (!dialog.matches(":modal")) {
      dialog.open = false;
      // The backdrop does not cover the gutter of a scrollbar, so a margin keeps the width of the page instead. innerWidth
      // includes the gutter, offsetWidth does not.
      const { documentElement } = document;
      if (!document.querySelector("dialog:modal"))
        documentElement.style.setProperty("--gutter", `${innerWidth - documentElement.offsetWidth}px`);
      dialog.showModal();
    }
    notifyDialogChange();
    return () => {
      isUnmounting.current = true;
      dialog.close();
      notifyDialogChange();
    };
  }, []);

  const close = () => {
    if (isUnmounting.current) return;
    onClose?.();
    if (closeTo !== undefined) navigate(closeTo, { preventScrollReset: true, replace: true });
  };
  const closeClass =
    "absolute end-2 top-2 grid size-11 place-content-center rounded-md text-soft hover:bg-sunken hover:text-ink";

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard uses Escape; this is the click on the backdrop.
    <dialog
      ref={dialogRef}
      open
      role={role}
      className={clsx("dialog", isSheet && "is-sheet")}
      style={{ "--dialog-width": widths[width] } as React.CSSProperties}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-about` : undefined}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={(event) => {
        // In development React mounts twice, and the event of the first close arrives when the dialog is open again.
        if (event.target === event.currentTarget && !event.currentTarget.open) close();
      }}
      onMouseDown={(event) => {
        pressStartedOutside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        if (pressStartedOutside.current && event.target === event.currentTarget) close();
      }}
    >
      <div className="flex flex-col gap-4 p-5 sm:p-6">
        <div className={clsx("flex flex-col gap-1 pe-10", isTitleHidden && "sr-only")}>
          <h2 id={`${id}-title`} className="text-xl">
            {title}
          </h2>
          {description && (
            <p id={`${id}-about`} className="text-soft">
              {description}
            </p>
          )}
        </div>
        {children}
        {footer && <div className="flex flex-wrap justify-end gap-3 pt-1">{footer}</div>}
        {closeTo !== undefined ? (
          <Link to={closeTo} replace preventScrollReset className={closeClass} aria-label="Close">
            <CloseCross />
          </Link>
        ) : (
          onClose && (
            <button type="button" onClick={close} className={closeClass} aria-label="Close">
              <CloseCross />
            </button>
          )
        )}
      </div>
    </dialog>
  );
}

export const CloseCross = () => <Icon name="close" />;
