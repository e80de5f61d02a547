// Our own line drawings, in one small file beside this (drawings.svg): they cost the page no JavaScript. Lines take the
// text colour; the one warm thing in each is `--glow`.
import clsx from "clsx";
import sheet from "./drawings.svg?url";

export type DrawingName = "hut" | "lamp" | "path" | "kettle" | "hills";

export function Drawing({
  name,
  className,
  label,
}: {
  name: DrawingName;
  className?: string;
  label?: string;
}) {
  return (
    <svg
      viewBox="0 0 240 140"
      className={clsx("max-w-full", className)}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <use href={`${sheet}#${name}`} />
    </svg>
  );
}
