// Our line drawings, from the one file of pictures, so that they add no JavaScript. Lines have the text colour; the
// accent is `--glow`.
import clsx from "clsx";
import sheet from "./pictures.svg?url";

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
      <use href={`${sheet}#drawing-${name}`} />
    </svg>
  );
}
