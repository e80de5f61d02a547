// The only form hook: it submits to a page's action and handles every answer. Without JavaScript the page reloads with
// the typed values and errors, and the hook handles that answer after hydration.
import { Form, useFetcher, useLocation, useNavigation, useSubmit } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { ErrorCode } from "~/domain/errors";
import { problemsOf, type Rules } from "~/domain/field-rules";
import { answerTo, useAnswer } from "~/hooks/answers";
import { forgetOwner } from "~/hooks/made-for";
import { handleRefusal, resumableAct } from "~/hooks/refusals";
import { toast } from "~/hooks/toasts";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import { notifyOtherTabs } from "~/hooks/use-fresh-data";
import type { ActResult } from "~/wire/act";
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { READER_FIELD } from "~/wire/reader";
import { correctedField, remainingErrors } from "./field-errors";
import { type NestedFields, nestFields } from "./nest-fields";
import { readText, typedFields } from "./typed-fields";
import { ACCEPTED, useDraft } from "./use-draft";
import { useFirstFieldFocus } from "./use-inline-edit";
import { usePosted } from "./use-posted";
import { useReturnedForm } from "./use-returned-form";

export type ActionFormOptions = {
  intent: string;
  /** The route whose action handles the form; by default the current page. */
  action?: string;
  /** Sent with the form, e.g. `{ goal: 7 }`; they distinguish forms with the same intent. */
  hiddenFields?: Record<string, string | number>;
  /** The uuid of the new record. It stays the same until success, so that a repeated submit creates one record. */
  uuid?: string | undefined;
  /** The version from which the edit begins. */
  since?: number | undefined;
  /** Keeps what is typed in this browser under this name, until the form is accepted. */
  draft?: string;
  /** Validation in the browser, by the server's rules. */
  rules?: Rules;
  /** Handles the submit in the browser. Returns true if it did, so that nothing is sent. */
  handleHere?: () => boolean;
  /** A success redirects to another page. */
  redirects?: boolean;
  /** The browser submits the form as a document, so that the answer may be another page. */
  asDocument?: boolean;
  clearsWhenDone?: boolean;
  /** A success signs in or changes the person, and the page then belongs to that person. */
  changesOwner?: boolean;
  /** A click opened the form, so its first field takes the focus. */
  takesFocus?: boolean;
  /** The page's answer, where a surrounding frame handles the submits. */
  posted?: ActResult | undefined;
  /** Called after a success, once the page's data has reloaded. */
  onDone?: (result: unknown) => void;
  /** Returns true when it has handled the refusal. */
  onRefused?: (refusal: { code: ErrorCode; message: string }) => boolean;
  /** Reports the success instead of the default toast. */
  onSuccess?: (result: unknown, sentence: string | null) => void;
  /** The toast of a failure that belongs to no field (M-06). */
  failure?: string;
  /** Repeats the errors as warnings, for a form longer than the screen (V-27). */
  warns?: boolean;
};

const VISIBLE_FIELDS = "input:not([type=hidden]), textarea, select";

/** An editor has fields without names, such as the language of a code block. */
const TEXT_FIELDS = "input[name]:is([type=text], :not([type])), textarea[name]";
function focusFirstFilled(form: HTMLFormElement | null): void {
  const fields = [...(form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS) ?? [])];
  const first = fields.find(({ value }) => value !== "") ?? fields[0];
  // The text area of an editor is hidden, so its editable element takes the focus.
  const surface = first?.hidden
    ? first.parentElement?.querySelector<HTMLElement>("[contenteditable]")
    : first;
  surface?.focus();
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A section that itself has an error. It takes the focus when none of its fields has an error. */
const INVALID_SECTION = "[data-wrong]";

const textsOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string"),
  );

export function useActionForm(options: ActionFormOptions) {
  const { intent, redirects = false } = options;
  const fetcher = useFetcher<ActResult>();
  // Each edit under `npm run dev` makes `fetcher.Form` again; another type of form would lose what is typed.
  const { current: FetcherForm } = useRef(fetcher.Form);
  const submit = useSubmit();
  const navigation = useNavigation();
  const postedToPage = usePosted();
  const result = fetcher.data ?? answerTo(options.posted ?? postedToPage, intent, options.hiddenFields);
  const refused = result && !result.ok ? result : undefined;
  // Before its first answer, a form that returned from the confirmation page shows the typed values.
  const formToReturn = useReturnedForm(intent, options.hiddenFields);
  const returned = result ? undefined : formToReturn;
  const isLeaving = redirects && navigation.formData?.get("intent") === intent;
  const isBusy = isLeaving || fetcher.state !== "idle";
  // The action answers in place; a form that leaves the page gets only a refusal in place.
  const stayValue = options.asDocument ? "" : redirects ? "refused" : "1";
  const element = useRef<HTMLFormElement>(null);
  useFirstFieldFocus(element, options.takesFocus ?? false);
  const latest = useRef(options);
  latest.current = options;

  const [restored, setRestored] = useState<NestedFields | null>(null);
  /** Their errors count as errors of the whole form. */
  const unseen = [
    "",
    "intent",
    "stay",
    "uuid",
    MADE_FOR_FIELD,
    READER_FIELD,
    ...Object.keys(options.hiddenFields ?? {}),
  ];
  const readTyped = (): NestedFields =>
    nestFields(element.current ? new FormData(element.current) : [], unseen);
  const draft = useDraft<NestedFields>({
    name: options.draft,
    element: element,
    read: readTyped,
    isSaved: (stored) => JSON.stringify(stored) === JSON.stringify(readTyped()),
  });
  const typed = (refused ?? returned)?.form.initialValue ?? restored;
  // The uuid of the last submit, until its success. A reload of the page may bring another uuid before that.
  const [sentUuid, setSentUuid] = useState<string>();
  const uuid =
    options.hiddenFields?.uuid === undefined
      ? (readText(typed, "uuid") ?? sentUuid ?? options.uuid)
      : undefined;

  // A draft keeps the version from which it began; after a refusal, the next save replaces the newer version.
  const since = refused?.newer?.updatedAt ?? readText(typed, "since") ?? options.since;

  // Errors of the browser's own validation since the last answer.
  const [validated, setValidated] = useState<{
    after: typeof result;
    errors: Record<string, string[]>;
  } | null>(null);
  const [corrected, setCorrected] = useState<{ after: typeof result; names: ReadonlySet<string> } | null>(
    null,
  );
  const errors = remainingErrors(
    refused?.form.error,
    corrected && corrected.after === result ? corrected.names : NO_NAMES,
    validated && validated.after === result ? validated.errors : null,
  );

  // The focused element at the submit. Focus may move away from it until the user types.
  const sentFrom = useRef<Element | null>(null);
  const focusFirstInvalid = (): void => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && activeElement !== sentFrom.current;
    if (activeElement && isElsewhere) return;
    const invalid = element.current?.querySelector<HTMLElement>(`[aria-invalid="true"], ${INVALID_SECTION}`);
    // A field inside a closed fold cannot take the focus.
    const fold = invalid?.closest("details");
    if (fold) fold.open = true;
    invalid?.focus();
  };

  const announceAcceptance = (): void => {
    element.current?.dispatchEvent(new Event(ACCEPTED));
    notifyOtherTabs();
  };
  const isRetry = useRef(false);
  const isSent = useRef(false);
  const receive = (answer: ActResult): void => {
    const { onSuccess, failure, warns } = latest.current;
    // A slow page may render the answer without ever having rendered the form as busy.
    isSent.current = false;
    const form = element.current;
    const wasRetry = isRetry.current;
    isRetry.current = false;
    const retry = (isNextRetry: boolean) => {
      if (!element.current) return;
      isRetry.current = isNextRetry;
      if (redirects) submit(element.current);
      else fetcher.submit(element.current);
    };
    if (answer.ok) {
      if (latest.current.changesOwner) forgetOwner();
      if (onSuccess) onSuccess(answer.result, answer.toast);
      else if (answer.toast) toast.success(answer.toast);
      announceAcceptance();
      return;
    }
    const sentForm = form
      ? { form: { action: form.getAttribute("action") ?? "", fields: new FormData(form) } }
      : {};
    if (latest.current.onRefused?.(answer)) return;
    const resumes = resumableAct(form?.getAttribute("action"), intent);
    if (handleRefusal(answer, { retry, isRetry: wasRetry, resumes, ...sentForm })) return;
    if (!form?.querySelector(VISIBLE_FIELDS)) toast.errors(answer.sentences);
    else {
      const isUnexplained = Object.keys(answer.form.error ?? {}).every((name) => unseen.includes(name));
      if (failure && isUnexplained) toast.error(failure);
      if (warns) toast.validation(answer.sentences);
      focusFirstInvalid();
    }
  };
  const answer = fetcher.data ?? refused;
  useAnswer(answer, receive);
  // A form that leaves the page ends in a redirect; after a refusal or failure its own page reloads.
  const { location, formAction } = navigation;
  const hasLeft = isLeaving && location?.pathname !== formAction?.split("?")[0];
  useBrowserLayoutEffect(() => {
    if (hasLeft) announceAcceptance();
  }, [hasLeft]);
  // A redirect to the same route may end before the form has rendered as busy.
  const { key: visit } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit counts.
  useEffect(() => {
    if (!isBusy) isSent.current = false;
  }, [isBusy, visit]);
  // A form that closes or resets waits until the page's data has reloaded. As in `useAnswer`, no dependencies.
  const lastResult = useRef<ActResult>();
  useEffect(() => {
    const { data } = fetcher;
    if (isBusy || !data?.ok || lastResult.current === data) return;
    lastResult.current = data;
    setSentUuid(undefined);
    setRestored(null);
    if (latest.current.clearsWhenDone) element.current?.reset();
    latest.current.onDone?.(data.result);
  });
  useBrowserLayoutEffect(() => {
    if (sentFrom.current) focusFirstInvalid();
  }, [validated]);

  const check = (form: HTMLFormElement): Record<string, string[]> | null => {
    const problems = options.rules ? problemsOf(options.rules, textsOf(form)) : null;
    setValidated(problems || validated ? { after: result, errors: problems ?? {} } : null);
    return problems;
  };
  return {
    Form: redirects ? Form : FetcherForm,
    /** Props for `Form`. */
    formProps: {
      ref: element,
      method: "post" as const,
      preventScrollReset: !redirects,
      reloadDocument: options.asDocument ?? false,
      noValidate: options.rules !== undefined,
      ...(options.action === undefined ? {} : { action: options.action }),
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        sentFrom.current = document.activeElement;
        const stay = event.currentTarget.elements.namedItem("stay");
        if (stay instanceof HTMLInputElement) stay.value = stayValue;
        // V-09, C-06: a second submit is blocked while the first is pending, also before this one has rendered.
        if (isBusy || isSent.current || options.handleHere?.()) return event.preventDefault();
        const sentences = Object.values(check(event.currentTarget) ?? {}).flat();
        if (options.warns) toast.validation(sentences);
        if (sentences.length > 0) event.preventDefault();
        else {
          isSent.current = true;
          setSentUuid(uuid);
        }
      },
      onInput: (event: FormEvent<HTMLFormElement>) => {
        sentFrom.current = null;
        draft.keep();
        if (!validated && !refused) return;
        const correctedName = correctedField(event.target as HTMLInputElement, check(event.currentTarget));
        if (correctedName === null) return;
        setCorrected((previous) => ({
          after: result,
          names: new Set([...(previous && previous.after === result ? previous.names : []), correctedName]),
        }));
      },
    },
    /** Hidden fields. */
    hidden: {
      intent,
      ...options.hiddenFields,
      ...(uuid === undefined ? {} : { uuid }),
      ...(since === undefined ? {} : { since }),
      stay: stayValue,
    },
    /** The names of fields that nobody types in. */
    unseen,
    element,
    /** An unsent draft of an earlier visit, and the key that remounts the fields with it. */
    draft: {
      isFound: draft.stored !== null && restored === null,
      restore: () => {
        setRestored(draft.stored?.typed ?? null);
        draft.hide();
        // The fields remount, and the pressed button, which had the focus, unmounts.
        setTimeout(() => focusFirstFilled(element.current));
      },
      discard: draft.forget,
      /** For a change that no field reports. */
      keep: draft.keep,
      isRestored: restored !== null,
      key: restored === null ? "stored" : "restored",
    },
    isBusy,
    result,
    /** It was refused, or returned from the confirmation page, so a fold around it opens. */
    isFailed: (refused ?? returned) !== undefined,
    ...typedFields(typed, errors),
    /** The texts of a newer save, which this form would replace. */
    newer: refused?.newer?.texts ?? [],
    /** Errors of the form as a whole. */
    problems: unseen.flatMap((name) => refused?.form.error?.[name] ?? []),
  };
}

export type ActionFormState = ReturnType<typeof useActionForm>;
