// A search form for one of the user's own lists: by words and, if `lastDay` is given, by date. It is a plain GET form that
// submits itself while the user types.
import { Form, useSearchParams, useSubmit } from "@remix-run/react";
import { type FormEvent, useEffect, useId, useRef } from "react";
import { FindButton } from "~/components/ui/find-button";
import type { Day } from "~/domain/days";

/** The wait after the last key (K-02). */
const DEBOUNCE_MS = 350;

type Props = {
  label: string;
  /** The name of the form for screen readers. */
  formLabel: string;
  /** The last day that may be chosen; without it the form has no date field. */
  lastDay?: Day;
  /** Parameters of the page that the search leaves as they are. */
  preservedParams?: readonly string[];
};

export function OwnSearch({ label, formLabel, lastDay, preservedParams = [] }: Props) {
  const [query] = useSearchParams();
  const submit = useSubmit();
  const id = useId();
  const timer = useRef<number>(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const submitSoon = ({ currentTarget: { form } }: FormEvent<HTMLInputElement>) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => form && submit(form, { replace: true, preventScrollReset: true }),
      DEBOUNCE_MS,
    );
  };
  return (
    <Form
      role="search"
      aria-label={formLabel}
      className="flex flex-wrap items-center gap-3"
      preventScrollReset
    >
      <div className="relative min-w-0 flex-1 basis-56">
        <label htmlFor={`${id}-q`} className="sr-only">
          {label}
        </label>
        <input
          id={`${id}-q`}
          name="q"
          type="search"
          dir="auto"
          defaultValue={query.get("q") ?? ""}
          placeholder={label}
          maxLength={100}
          className="control h-11 ps-10!"
          onInput={submitSoon}
        />
        <FindButton />
      </div>
      {lastDay !== undefined && (
        <label className="flex flex-wrap items-center gap-2 text-sm whitespace-nowrap text-soft">
          Until
          <input
            name="until"
            type="date"
            max={lastDay}
            defaultValue={query.get("until") ?? ""}
            className="control h-11 w-40!"
            onInput={submitSoon}
          />
        </label>
      )}
      {preservedParams.map((name) => {
        const value = query.get(name);
        return value === null ? null : <input key={name} type="hidden" name={name} value={value} />;
      })}
    </Form>
  );
}
