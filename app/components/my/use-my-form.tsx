// A form of the My pages. It posts to the page it stands on: without JavaScript the page comes again with what was done
// or what is wrong; with it, it stays, the errors come under their fields and what was typed is kept.
import { useActionData, useFetcher } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { toast } from "~/components/ui/toasts";
import { openModal } from "~/hooks/modals";
import { useFirstFieldFocus } from "~/hooks/use-editing";
import { useHydrated } from "~/hooks/use-hydrated";
import { tellOtherTabs } from "~/hooks/use-steady-call";
import { useTokenRetry } from "~/hooks/use-token-retry";
import type { ActResult } from "~/wire/act";

type Options = {
  /** Which of several forms of one intent this is, e.g. `{ goal: 7 }`; goes along as hidden fields. */
  about?: Record<string, string | number>;
  /** Of the thing to be made. It stays the same until it was made, so that sending it again makes one. */
  uuid?: string | undefined;
  onDone?: (result: unknown) => void;
  /** Said on success instead of the server's sentence. */
  onSuccess?: (result: unknown, sentence: string | null) => void;
  isClearedWhenDone?: boolean;
  /** A press has opened it: one goes on writing in its first field. */
  takesFocus?: boolean;
  /** Success leads to another page. */
  leaves?: boolean;
  /** What the page was answered, where a frame around it takes the posts. */
  posted?: ActResult | undefined;
};

export function useMyForm(intent: string, options: Options = {}) {
  const fetcher = useFetcher<ActResult>();
  const ours = useActionData<ActResult>();
  const posted = options.posted ?? ours;
  const isHydrated = useHydrated();
  const about = Object.entries(options.about ?? {});
  const isOurs = (result: ActResult): boolean =>
    result.intent === intent &&
    (result.ok ||
      about.every(([name, value]) => String(result.form.initialValue?.[name] ?? "") === String(value)));
  const result = fetcher.data ?? (posted && isOurs(posted) ? posted : undefined);
  const failed = result && !result.ok ? result : undefined;
  const isBusy = fetcher.state !== "idle";
  const element = useRef<HTMLFormElement>(null);
  useFirstFieldFocus(element, options.takesFocus ?? false);
  const latest = useRef(options);
  latest.current = options;

  const kept = useRef(options.uuid);
  const typedUuid = readTyped(failed?.form.initialValue, "uuid");
  const uuid = options.about?.uuid === undefined ? (typedUuid ?? kept.current ?? options.uuid) : undefined;

  const told = useRef<ActResult | undefined>(undefined);
  const { submit } = fetcher;
  const takeAnswer = useTokenRetry(element, (form) => submit(form));
  useEffect(() => {
    const { data } = fetcher;
    if (isBusy || !data || told.current === data) return;
    told.current = data;
    const isDealtWith = takeAnswer(data);
    const { onDone, onSuccess, isClearedWhenDone } = latest.current;
    if (data.ok) {
      kept.current = latest.current.uuid;
      if (onSuccess) onSuccess(data.result, data.toast);
      else if (data.toast) toast.success(data.toast);
      if (isClearedWhenDone) element.current?.reset();
      tellOtherTabs();
      onDone?.(data.result);
      return;
    }
    if (isDealtWith) return;
    if (data.code === "UNAUTHENTICATED") {
      toast.warning(data.message);
      openModal({ name: "auth", onDone: () => element.current && submit(element.current) });
    } else element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [fetcher, isBusy, submit, takeAnswer]);

  const errors = failed?.form.error ?? {};
  const typed = failed?.form.initialValue;
  return {
    Form: fetcher.Form,
    formProps: {
      ref: element,
      method: "post" as const,
      preventScrollReset: true,
      noValidate: isHydrated,
      onSubmit: (event: FormEvent) => {
        // A second submit is blocked while the first is under way (V-09).
        if (isBusy) event.preventDefault();
      },
    },
    /** Stands first in the form. */
    hidden: (
      <>
        <input type="hidden" name="intent" value={intent} />
        {about.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {uuid !== undefined && <input type="hidden" name="uuid" value={uuid} />}
        {isHydrated && !options.leaves && <input type="hidden" name="stay" value="1" />}
      </>
    ),
    isBusy,
    isFailed: failed !== undefined,
    ...asTyped(typed, errors),
    /** What is wrong with the form as a whole. */
    problems: errors[""] ?? [],
  };
}

export type MyForm = ReturnType<typeof useMyForm>;

type Typed = Record<string, unknown>;
/** What fields show of a form that was refused, and what is wrong with them; of a row of a form, by the names in it. */
export const asTyped = (typed: Typed | null | undefined, errors: Record<string, string[] | null>) => ({
  errorsOf: (name: string): string[] => errors[name] ?? [],
  hasErrorsUnder: (name: string): boolean => Object.keys(errors).some((key) => key.startsWith(name)),
  /** What was typed before the page came again, without JavaScript. */
  typedAll: typed,
  /**
   * What a field shows: its own value, or after a refusal what was typed. Empty ones are not sent back: what is
   * missing was emptied, unless all it stands in (`within`, by default its row or the form) was never sent.
   */
  shown: (name: string, own: string, within = rowOf(name)): string =>
    typed && find(typed, within) !== undefined ? (readTyped(typed, name) ?? "") : own,
  /** Of boxes that share a name, the values of those that are on. */
  shownAll: (name: string, own: readonly string[]): readonly string[] =>
    typed ? [find(typed, name) ?? []].flat().map(String) : own,
});
/** A form, or a row of one: its fields' names then begin with `under`. */
export type TypedForm = ReturnType<typeof asTyped> & { under?: string };

/** "timers[2].title" stands in "timers[2]", "title" in the form itself. */
const rowOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(".")));

const find = (typed: unknown, name: string): unknown =>
  name
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], typed);

function readTyped(typed: unknown, name: string): string | undefined {
  const found = find(typed, name);
  return typeof found === "string" ? found : undefined;
}

/** Errors of the whole form, over its button. */
export function MyFormProblems({ form }: { form: MyForm }) {
  if (form.problems.length === 0) return null;
  return (
    <div role="alert" className="flex flex-col gap-1 font-medium text-red">
      {form.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}
