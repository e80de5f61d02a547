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
  const move = (index: number, offset: number) =>
    setRows((current) => {
      const next = [...current];
      const [row] = next.splice(index, 1);
      if (row) next.splice(index + offset, 0, row);
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
