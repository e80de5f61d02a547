// A menu of links and buttons, on the native <details>: it opens without JavaScript. With it, arrow keys move, and
// Escape, an outside click or navigation close it.
import { Link, type LinkProps, useLocation } from "@remix-run/react";
import clsx from "clsx";
import { type ComponentPropsWithoutRef, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

export type DropdownMenuProps = {
  /** The label of a trigger without words. */
  label?: string;
  trigger: ReactNode;
  triggerClassName?: string;
  align?: "start" | "end";
  className?: string;
  children: ReactNode;
};

export function DropdownMenu({
  label,
  trigger,
  triggerClassName,
  align = "end",
  className,
  children,
}: DropdownMenuProps) {
  const menuRef = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  const lastKey = useRef(key);

  // Navigation closes the menu. Hydration does not, because somebody may have opened it before.
  useEffect(() => {
    if (menuRef.current && lastKey.current !== key) menuRef.current.open = false;
    lastKey.current = key;
  }, [key]);

  useEffect(() => {
    const closeOutside = (event: Event) => {
      const details = menuRef.current;
      if (details?.open && event.target instanceof Node && !details.contains(event.target))
        details.open = false;
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const details = menuRef.current;
    // A dialog inside the menu handles its own keys.
    if (!details || (event.target instanceof Element && event.target.closest("dialog"))) return;
    const summary = details.querySelector("summary");
    if (event.key === "Escape" && details.open) {
      event.preventDefault();
      event.stopPropagation();
      details.open = false;
      summary?.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (
      step === undefined ||
      (event.target instanceof HTMLElement && event.target.matches("input, textarea, select"))
    )
      return;
    event.preventDefault();
    details.open = true;
    const items = [...details.querySelectorAll<HTMLElement>(".menu-item:not(:disabled)")];
    const focused = items.indexOf(document.activeElement as HTMLElement);
    const next =
      focused < 0 ? (step > 0 ? 0 : items.length - 1) : (focused + step + items.length) % items.length;
    items[next]?.focus();
  };

  return (
    <details ref={menuRef} className={clsx("menu", className)} onKeyDown={onKeyDown}>
      <summary aria-label={label} className={triggerClassName}>
        {trigger}
      </summary>
      <div className={clsx("menu-panel", align === "start" && "is-start")}>{children}</div>
    </details>
  );
}

export function MenuLink({ className, prefetch = "intent", ...rest }: LinkProps) {
  return <Link prefetch={prefetch} className={clsx("menu-item", className)} {...rest} />;
}

export type MenuButtonProps = ComponentPropsWithoutRef<"button"> & { isDanger?: boolean };

/** A button in a menu; a click closes the menu. Inside a form set type="submit". */
export function MenuButton({ isDanger, className, onClick, type = "button", ...rest }: MenuButtonProps) {
  return (
    <button
      type={type}
      className={clsx("menu-item", isDanger && "is-danger", className)}
      onClick={(event) => {
        onClick?.(event);
        const details = event.currentTarget.closest("details");
        if (details) details.open = false;
      }}
      {...rest}
    />
  );
}

export const MenuSeparator = () => <hr className="my-1.5 border-line" />;
