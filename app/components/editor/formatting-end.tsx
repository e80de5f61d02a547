// Shows where the formatting of a Markdown text ends, and a plain Markdown text area that shows it while the author
// types.
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { TextAreaRow } from "~/components/form/rows";
import { plainFromLine } from "~/domain/markdown-bounds";

/** `plainFrom`: the line from which the text is shown unformatted, or null (see `plainFromLine`). */
export function FormattingEnd({ plainFrom }: { plainFrom: number | null }) {
  return (
    <p className="text-sm not-empty:mt-1" aria-live="polite">
      {plainFrom !== null &&
        `From line ${plainFrom} on, this text is shown unformatted: it has more lines or marks than can be formatted.`}
    </p>
  );
}

export function MarkdownAreaRow(props: ComponentProps<typeof TextAreaRow>) {
  const initial = String(props.defaultValue ?? "");
  const [plainFrom, setPlainFrom] = useState(() => plainFromLine(initial));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = box.current?.closest("form");
    const reset = () => setPlainFrom(plainFromLine(initial));
    form?.addEventListener("reset", reset);
    return () => form?.removeEventListener("reset", reset);
  }, [initial]);
  return (
    <div ref={box}>
      <TextAreaRow {...props} onInput={(event) => setPlainFrom(plainFromLine(event.currentTarget.value))} />
      <FormattingEnd plainFrom={plainFrom} />
    </div>
  );
}
