// A form that posts to a page's action: checked in the browser by the same rules as on the server, sent once at a
// time, its errors under its fields, what was typed kept. Before JavaScript has loaded it is a plain form.
import { parse, useForm } from "@conform-to/react";
import { useActionData, useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { toast } from "~/components/ui/toasts";
import { problemsOf, type Rules } from "~/domain/account-rules";
import type { ActResult } from "~/wire/act";

type Options<Name extends string> = {
  rules: Rules<Name>;
  intent: string;
  /** The route whose action takes it; the page's own unless said. */
  action?: string;
  defaultValue?: Record<string, string | undefined>;
  onDone?: (result: unknown) => void;
  /** Emptied once it was taken. */
  isClearedWhenDone?: boolean;
  /** Said as a toast when it failed and no field says why (M-06). */
  failure?: string;
};

/** Fields that no eye sees; what is wrong with them is said of the whole form. */
const HIDDEN = ["", "token", "next"];

export function useActForm<Name extends string>(options: Options<Name>) {
  const { rules, intent, action, defaultValue } = options;
  const fetcher = useFetcher<ActResult>();
  const posted = useActionData<ActResult>();
  const result = fetcher.data ?? (posted?.intent === intent ? posted : undefined);
  const isBusy = fetcher.state !== "idle";
  const latest = useRef(options);
  latest.current = options;

  const [form, fields] = useForm<Record<Name, string>>({
    lastResult: result && !result.ok ? result.form : undefined,
    ...(defaultValue ? { defaultValue: defaultValue as never } : {}),
    onValidate: ({ formData }) => parse(formData, { resolve: (typed) => resolve(rules, typed) }) as never,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onSubmit(event) {
      // A second submit is blocked while the first is under way (V-09).
      if (isBusy) event.preventDefault();
    },
  });

  const told = useRef<ActResult | undefined>(undefined);
  useEffect(() => {
    const { data } = fetcher;
    if (isBusy || !data || told.current === data) return;
    told.current = data;
    const { failure, isClearedWhenDone, onDone } = latest.current;
    if (data.ok) {
      if (data.toast) toast.success(data.toast);
      if (isClearedWhenDone) (document.getElementById(form.id) as HTMLFormElement | null)?.reset();
      onDone?.(data.result);
    } else if (failure && Object.keys(data.form.error ?? {}).every((name) => HIDDEN.includes(name))) {
      toast.error(failure);
    }
  }, [fetcher, isBusy, form.id]);

  const { error } = result && !result.ok ? result.form : { error: undefined };
  return {
    form,
    fields,
    /** Spread on `Form`. */
    formProps: {
      id: form.id,
      onSubmit: form.onSubmit,
      noValidate: form.noValidate,
      method: "post" as const,
      ...(action ? { action } : {}),
    },
    Form: fetcher.Form,
    result,
    isBusy,
    /** What is wrong with the form as a whole. */
    problems: HIDDEN.flatMap((name) => error?.[name] ?? []),
  };
}

function resolve(rules: Rules, value: Record<string, unknown>) {
  const typed = Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, typeof text === "string" ? text : ""]),
  );
  const error = problemsOf(rules, typed);
  return error ? { error } : { value: typed };
}

/** Says a row's button's success or failure as a toast, even when the row is gone by then. */
export function useActToast(data: ActResult | undefined): void {
  useEffect(() => {
    if (!data) return;
    if (!data.ok) toast.errors(data.sentences);
    else if (data.toast) toast.success(data.toast);
  }, [data]);
}
