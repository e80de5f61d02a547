// The one form of Bothy: it posts to a page's action, and `receive` takes every answer. Before JavaScript has loaded it is
// a plain form; the page then comes again with what was typed and what is wrong, and `receive` takes that answer too.
import { Form, useActionData, useFetcher, useNavigation, useSubmit } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { toast } from "~/components/ui/toasts";
import { problemsOf, type Rules } from "~/domain/field-rules";
import type { ActResult } from "~/wire/act";
import { isAnswerTo, takeRefusal, useAnswer } from "./answers";
import { readText, typedFields } from "./typed-fields";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";
import { tellOtherTabs } from "./use-fresh-data";
import { useHydrated } from "./use-hydrated";
import { useFirstFieldFocus } from "./use-inline-edit";

export type ActionFormOptions = {
  intent: string;
  /** The route whose action takes the form; the page's own unless given. */
  action?: string;
  /** Tells this form from others of its intent, e.g. `{ goal: 7 }`; posted as hidden fields. */
  about?: Record<string, string | number>;
  /** Of the thing to be made. It stays the same until it was made, so that a repeated post makes one. */
  uuid?: string | undefined;
  /** The browser's own check before the form is posted, by the server's rules. */
  rules?: Rules;
  /** True: the press was dealt with in the browser, and nothing is posted. */
  isHandledHere?: () => boolean;
  /** Success leads to another page. */
  leaves?: boolean;
  clearsWhenDone?: boolean;
  /** A press opened the form: its first field takes the focus. */
  takesFocus?: boolean;
  /** The page's answer, where a frame around the form takes the posts. */
  posted?: ActResult | undefined;
  /** After a success, once the page's data was read again. */
  onDone?: (result: unknown) => void;
  /** Says the success instead of a toast of the server's sentence. */
  onSuccess?: (result: unknown, sentence: string | null) => void;
  /** A toast for a failure that no field explains (M-06). */
  failure?: string;
  /** What is wrong is also said in warnings, for a form that is longer than the screen (V-27). */
  warns?: boolean;
};

/** Fields that nobody sees; what is wrong with them is wrong with the whole form. */
const UNSEEN = ["", "token", "next"];
const UNSEEN_TYPES = "input:not([type=hidden]), textarea, select";

/** Of a part of a form that is wrong as a whole; it takes the focus where no field of it does. */
const WRONG_PART = "[data-wrong]";
/** The event of a form that the server has taken: its drafts go. */
export const ACCEPTED = "bothy:accepted";

export function useActionForm(options: ActionFormOptions) {
  const { intent, leaves = false } = options;
  const fetcher = useFetcher<ActResult>();
  const submit = useSubmit();
  const navigation = useNavigation();
  const ours = useActionData<ActResult>();
  const posted = options.posted ?? ours;
  const result = fetcher.data ?? (posted && isAnswerTo(posted, intent, options.about) ? posted : undefined);
  const refused = result && !result.ok ? result : undefined;
  const isLeaving = leaves && navigation.formData?.get("intent") === intent;
  const isBusy = isLeaving || fetcher.state !== "idle";
  const isHydrated = useHydrated();
  // Leaving, only a refusal stays on the page.
  const staying = leaves ? "refused" : "1";
  const element = useRef<HTMLFormElement>(null);
  useFirstFieldFocus(element, options.takesFocus ?? false);
  const latest = useRef(options);
  latest.current = options;

  const typed = refused?.form.initialValue;
  const kept = useRef(options.uuid);
  const uuid =
    options.about?.uuid === undefined ? (readText(typed, "uuid") ?? kept.current ?? options.uuid) : undefined;

  // What the browser's own check found since the last answer.
  const [found, setFound] = useState<{ after: typeof result; errors: Record<string, string[]> } | null>(null);
  const errors = (found?.after === result && found ? found.errors : refused?.form.error) ?? {};

  // Where the focus was when the form was sent, until something is typed: from there it may be moved.
  const sentFrom = useRef<Element | null>(null);
  const focusFirstWrong = (): void => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && activeElement !== sentFrom.current;
    if (activeElement && isElsewhere) return;
    element.current?.querySelector<HTMLElement>(`[aria-invalid="true"], ${WRONG_PART}`)?.focus();
  };

  const accepted = (): void => {
    element.current?.dispatchEvent(new Event(ACCEPTED));
    tellOtherTabs();
  };
  const isRetry = useRef(false);
  const receive = (answer: ActResult): void => {
    const { onSuccess, failure, warns } = latest.current;
    const form = element.current;
    const wasRetry = isRetry.current;
    isRetry.current = false;
    const again = (isNextRetry: boolean) => {
      if (!element.current) return;
      isRetry.current = isNextRetry;
      if (leaves) submit(element.current);
      else fetcher.submit(element.current);
    };
    if (answer.ok) {
      if (onSuccess) onSuccess(answer.result, answer.toast);
      else if (answer.toast) toast.success(answer.toast);
      accepted();
      return;
    }
    const sent = form
      ? { form: { action: form.getAttribute("action") ?? "", fields: new FormData(form) } }
      : {};
    if (takeRefusal(answer, { again, isRetry: wasRetry, ...sent })) return;
    if (!form?.querySelector(UNSEEN_TYPES)) toast.errors(answer.sentences);
    else {
      const isUnexplained = Object.keys(answer.form.error ?? {}).every((name) => UNSEEN.includes(name));
      if (failure && isUnexplained) toast.error(failure);
      if (warns) toast.validation(answer.sentences);
      focusFirstWrong();
    }
  };
  const answer = fetcher.data ?? refused;
  useAnswer(answer, receive);
  // A form that leaves is answered by a redirect; after a refusal or a failure its own page loads again.
  const { location, formAction } = navigation;
  const hasLeft = isLeaving && location?.pathname !== formAction?.split("?")[0];
  useBrowserLayoutEffect(() => {
    if (hasLeft) accepted();
  }, [hasLeft]);
  // A form that closes or empties itself waits until the page's data was read again.
  const done = useRef<ActResult>();
  useEffect(() => {
    const { data } = fetcher;
    if (isBusy || !data?.ok || done.current === data) return;
    done.current = data;
    kept.current = latest.current.uuid;
    if (latest.current.clearsWhenDone) element.current?.reset();
    latest.current.onDone?.(data.result);
  }, [fetcher, isBusy]);
  useBrowserLayoutEffect(() => {
    if (sentFrom.current) focusFirstWrong();
  }, [found]);

  const check = (form: HTMLFormElement): string[] => {
    const wrong = options.rules ? problemsOf(options.rules, textsOf(form)) : null;
    setFound(wrong || found ? { after: result, errors: wrong ?? {} } : null);
    return Object.values(wrong ?? {}).flat();
  };
  return {
    Form: leaves ? Form : fetcher.Form,
    /** Spread on `Form`. */
    formProps: {
      ref: element,
      method: "post" as const,
      preventScrollReset: !leaves,
      // The browser's own bubbles are for forms without rules of their own, until the page is live.
      noValidate: isHydrated || options.rules !== undefined,
      ...(options.action === undefined ? {} : { action: options.action }),
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        sentFrom.current = document.activeElement;
        const stay = event.currentTarget.elements.namedItem("stay");
        if (stay instanceof HTMLInputElement) stay.value = staying;
        // A second submit is blocked while the first is under way (V-09).
        if (isBusy || options.isHandledHere?.()) return event.preventDefault();
        const sentences = check(event.currentTarget);
        if (sentences.length === 0) return;
        event.preventDefault();
        if (options.warns) toast.validation(sentences);
      },
      onInput: (event: FormEvent<HTMLFormElement>) => {
        sentFrom.current = null;
        if (options.rules && (found || refused)) check(event.currentTarget);
      },
    },
    /** The fields that nobody sees. */
    hidden: {
      intent,
      ...options.about,
      ...(uuid === undefined ? {} : { uuid }),
      // Also set when React takes a submit before the flag is set: only a native post leaves it empty.
      stay: isHydrated ? staying : "",
    },
    element,
    isBusy,
    result,
    isFailed: refused !== undefined,
    ...typedFields(typed, errors),
    /** What is wrong with the form as a whole. */
    problems: UNSEEN.flatMap((name) => refused?.form.error?.[name] ?? []),
  };
}

export type ActionFormState = ReturnType<typeof useActionForm>;

const textsOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string"),
  );
