// Buttons, and the same look for links (`asChild`, or `buttonClass` on a Link).
import clsx from "clsx";
import {
  type ComponentPropsWithoutRef,
  cloneElement,
  forwardRef,
  isValidElement,
  type MouseEvent,
} from "react";

export type ButtonVariant = "primary" | "quiet" | "danger" | "ghost";
export type ButtonSize = "md" | "lg" | "icon";

const variants: Record<ButtonVariant, string> = {
  primary: "is-main bg-ember text-on-ember hover:bg-ember-strong border-transparent",
  quiet: "bg-raised text-ink border-edge hover:bg-sunken",
  danger: "bg-red text-on-red hover:bg-red-strong border-transparent",
  ghost: "text-ink border-transparent hover:bg-sunken",
};
const sizes: Record<ButtonSize, string> = {
  md: "min-h-11 px-4 py-2 text-base",
  lg: "min-h-13 px-6 py-3 text-lg rounded-lg!",
  icon: "min-h-11 min-w-11 p-2.5",
};

export const buttonClass = (variant: ButtonVariant = "quiet", size: ButtonSize = "md", className?: string) =>
  clsx(
    "button relative inline-flex items-center justify-center gap-2 rounded-md border text-center font-semibold [&_svg]:size-5 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
    className,
  );

export type ButtonProps = ComponentPropsWithoutRef<"button"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Keeps its width and label, shows a spinner, and ignores a second press. */
  isLoading?: boolean;
  /** Applies its look to its only child (a Link), which keeps its own handlers. */
  asChild?: boolean;
};

export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { variant = "quiet", size = "md", isLoading = false, asChild, className, children, onClick, type, ...rest },
  ref,
) {
  const lookClass = buttonClass(variant, size, className);
  if (asChild) {
    if (!isValidElement<{ className?: string }>(children)) return null;
    return cloneElement(children, { ...rest, className: clsx(lookClass, children.props.className) });
  }
  const pressUnlessLoading = (event: MouseEvent<HTMLButtonElement>) => {
    if (isLoading) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      ref={ref}
      type={type ?? "button"}
      className={lookClass}
      onClick={pressUnlessLoading}
      aria-busy={isLoading || undefined}
      aria-disabled={isLoading || undefined}
      {...rest}
    >
      {isLoading ? (
        <>
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
          <span className="absolute inset-0 grid place-content-center" aria-hidden="true">
            <span className="spinner" />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  );
});
