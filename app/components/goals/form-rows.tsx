// Repeated rows inside a form; empty rows are not saved. Typing into the last row adds another, and without JavaScript
// a few empty rows exist.
import { type ReactNode, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { useHydrated } from "~/hooks/use-hydrated";

export type Row<T> = { key: string; value: T | null };

type Props<T> = {
  values: readonly T[];
  /** The noun in the labels of the rows' buttons: "line", "button". */
  noun: string;
  addLabel: string;
  spare?: number;
  children: (value: T | null, index: number, key: string) => ReactNode;
};

let lastKey = 0;
const newKey = () => `new-${++lastKey}`;

export function FormRows<T>({ values, noun, addLabel, spare = 1, children }: Props<T>) {
  const isHydrated = useHydrated();
  const [rows, setRows] = useState<Row<T>[]>(() => [
    ...values.map((value, index) => ({ key: `row-${index}`, value })),
    ...Array.from({ length: spare }, (_, index) => ({ key: `spare-${index}`, value: null })),
  ]);
  const add = () => setRows((current) => [...current, { key: newKey(), value: null }]);
  const move = (index: number, by: number) =>
    setRows((current) => {
      const next = [...current];
      const [row] = next.splice(index, 1);
      if (row) next.splice(index + by, 0, row);
      return next;
    });
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {rows.map((row, index) => (
          <li
            key={row.key}
            className="flex items-start gap-2 border-b border-line pb-3 max-sm:flex-wrap max-sm:justify-end"
            onInput={() => {
              if (index === rows.length - 1) add();
            }}
          >
            <div className="min-w-0 flex-1 max-sm:basis-full">{children(row.value, index, row.key)}</div>
            {isHydrated && (
              <div className="flex shrink-0">
                <Button
                  variant="ghost"
                  size="icon"
                  disabled={index === 0}
                  aria-label={`Move ${noun} ${index + 1} up`}
                  onClick={() => move(index, -1)}
                >
                  <Icon name="up" />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove ${noun} ${index + 1}`}
                  onClick={() => setRows((current) => current.filter(({ key }) => key !== row.key))}
                >
                  <Icon name="close" />
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {isHydrated && (
        <Button variant="ghost" className="self-start" onClick={add}>
          <Icon name="plus" />
          {addLabel}
        </Button>
      )}
    </div>
  );
}

/** A fold of a long form, which opens on demand or when it contains an error. */
export function Fold({
  title,
  hint,
  isOpen,
  look = "row",
  children,
}: {
  title: string;
  hint?: string;
  isOpen: boolean;
  /** Folded, an inline chip; open, the full width of the row. */
  look?: "row" | "chip";
  children: ReactNode;
}) {
  if (look === "chip")
    return (
      <details
        open={isOpen}
        className="group min-w-0 open:w-full open:rounded-md open:border open:border-line"
      >
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-full border border-edge px-4 py-1.5 font-medium marker:content-none group-open:rounded-md group-open:border-transparent hover:bg-sunken">
          <Icon name="right" className="size-4! transition-transform group-open:rotate-90" />
          {title}
          {hint && <span className="text-sm font-normal text-soft group-open:ms-auto">{hint}</span>}
        </summary>
        <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{children}</div>
      </details>
    );
  return (
    <details open={isOpen} className="rounded-md border border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 py-2 font-semibold marker:content-none">
        <Icon name="right" className="transition-transform [details[open]>summary>&]:rotate-90" />
        {title}
        {hint && <span className="ms-auto text-sm font-normal text-soft">{hint}</span>}
      </summary>
      <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{children}</div>
    </details>
  );
}
