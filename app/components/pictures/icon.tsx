// Icons from the one file of pictures (by Lucide), so that they add no JavaScript. Always beside a word, or inside a
// labelled control.
import clsx from "clsx";
import sheet from "./pictures.svg?url";

export type IconName =
  | "bell"
  | "home"
  | "flag"
  | "hut"
  | "hills"
  | "person"
  | "people"
  | "search"
  | "token"
  | "plus"
  | "minus"
  | "check"
  | "close"
  | "more"
  | "edit"
  | "delete"
  | "drag"
  | "key"
  | "play"
  | "pause"
  | "stop"
  | "reset"
  | "left"
  | "right"
  | "up"
  | "down"
  | "arrow-left"
  | "arrow-right"
  | "arrow-up"
  | "arrow-down"
  | "calendar"
  | "camera"
  | "copy"
  | "link"
  | "star"
  | "send"
  | "image"
  | "expand"
  | "logout"
  | "info"
  | "warning"
  | "timer"
  | "list"
  | "checklist"
  | "note"
  | "book"
  | "filter"
  | "eye"
  | "eye-off"
  | "message"
  | "skip"
  | "heart"
  | "settings"
  | "undo"
  | "sparkles"
  | "repeat"
  | "bold"
  | "italic"
  | "numbered-list"
  | "code"
  | "source"
  | "redo";

export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={clsx("icon", className)} aria-hidden="true">
      <use href={`${sheet}#${name}`} />
    </svg>
  );
}
