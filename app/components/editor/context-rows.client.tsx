// The editor's contextual tools: the language of code (D-05), the width and alternative text of an image (D-04).

import type { KeyboardEvent } from "react";
import { Button } from "~/components/ui/button";
import { CODE_LANGUAGES, readImageSource, SHOWN_WIDTHS, writeImageSource } from "~/domain/rich-text";
import { isEnter } from "~/hooks/form/enter-key";
import type { ActiveFormatting } from "./active.client";

export function CodeRow({ language, onLanguage }: { language: string; onLanguage: (name: string) => void }) {
  const isKnown = CODE_LANGUAGES.some(({ value }) => value === language);
  return (
    <div className="editor-row">
      <label className="flex items-center gap-2 text-sm">
        Language
        <select
          className="control editor-style"
          value={isKnown ? language : "plaintext"}
          onChange={(event) => onLanguage(event.target.value)}
        >
          {CODE_LANGUAGES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Arrow keys move within the row, Escape returns to the text. */
function moveInRow(event: KeyboardEvent<HTMLElement>, onLeave: () => void) {
  if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    onLeave();
    return;
  }
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const focused = buttons.indexOf(event.target as HTMLElement);
  if (step === undefined || focused < 0) return;
  event.preventDefault();
  buttons.at((focused + step) % buttons.length)?.focus();
}

type ImageRowProps = {
  image: NonNullable<ActiveFormatting["image"]>;
  onChange: (change: { src?: string; alt?: string }) => void;
  onRemove: () => void;
  onToolsKey: () => void;
  onLeave: () => void;
};

/** In the text, Alt-F10 focuses the width of the selected image; in this row it focuses the toolbar. */
export function ImageRow({ image, onChange, onRemove, onToolsKey, onLeave }: ImageRowProps) {
  const source = readImageSource(image.src);
  return (
    <fieldset
      className="editor-row"
      aria-label="Selected image"
      onKeyDown={(event) => {
        if (event.altKey && event.key === "F10") {
          event.preventDefault();
          onToolsKey();
        } else moveInRow(event, onLeave);
      }}
    >
      {source &&
        SHOWN_WIDTHS.map((width) => (
          <button
            key={width}
            type="button"
            data-width
            aria-pressed={source.shown === width}
            className="editor-tool px-3"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChange({ src: writeImageSource({ ...source, shown: width }) })}
          >
            {width === 100 ? "Original" : `${width}%`}
          </button>
        ))}
      <label className="flex grow basis-48 items-center gap-2 text-sm">
        <span className="shrink-0">Image description</span>
        <input
          dir="auto"
          className="control"
          defaultValue={image.alt}
          autoComplete="off"
          onKeyDown={(event) => {
            if (isEnter(event)) event.preventDefault();
          }}
          onChange={(event) => onChange({ alt: event.target.value })}
        />
      </label>
      <Button variant="ghost" onMouseDown={(event) => event.preventDefault()} onClick={onRemove}>
        Remove image
      </Button>
    </fieldset>
  );
}
