// A form field: label above, hint and error below. Controls inside take their id and descriptions from its context.
import clsx from "clsx";
import { createContext, type ReactNode, useContext, useId } from "react";

type FieldWiring = { id: string; describedBy: string | undefined; isInvalid: boolean; isRequired: boolean };
const FieldContext = createContext<FieldWiring | null>(null);

export type FieldError = string | string[] | null | undefined;

export const sentencesOf = (error: FieldError): string[] =>
  error === null || error === undefined || error === "" ? [] : Array.isArray(error) ? error : [error];

export type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: FieldError;
  isRequired?: boolean;
  isLabelHidden?: boolean;
  /** Shown at the end of the label's line, e.g. a link "Forgot it?". */
  aside?: ReactNode;
  id?: string;
  className?: string;
  children: ReactNode;
};

export function Field(props: FieldProps) {
  const { label, hint, error, isRequired = false, isLabelHidden, aside, className, children } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const sentences = sentencesOf(error);
  const isInvalid = sentences.length > 0;
  const describedBy = clsx(hint && `${id}-hint`, isInvalid && `${id}-error`) || undefined;
  return (
    <FieldContext.Provider value={{ id, describedBy, isInvalid, isRequired }}>
      <div className={clsx("flex flex-col gap-1.5", className)}>
        <div
          className={clsx(
            "flex flex-wrap items-baseline justify-between gap-x-4",
            isLabelHidden && "sr-only",
          )}
        >
          <label htmlFor={id} className="min-w-0 font-semibold">
            {label}
            {isRequired && <RequiredStar />}
          </label>
          {aside && <span className="text-sm">{aside}</span>}
        </div>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
        <FieldErrors id={`${id}-error`} error={error} />
      </div>
    </FieldContext.Provider>
  );
}

export const RequiredStar = () => (
  <span className="text-red" aria-hidden="true">
    {" *"}
  </span>
);

export function FieldErrors({ id, error }: { id?: string; error: FieldError }) {
  const sentences = sentencesOf(error);
  if (sentences.length === 0) return null;
  return (
    <div id={id} className="flex flex-col gap-1 text-sm font-medium text-red">
      {sentences.map((sentence) => (
        <p key={sentence} className="flex gap-1.5">
          <span aria-hidden="true">▲</span>
          {sentence}
        </p>
      ))}
    </div>
  );
}

type Controllable = {
  id?: string;
  required?: boolean;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean | "true" | "false" | "grammar" | "spelling";
};

/** The props of a control inside a Field; the Field's id wins, so that its label always matches. */
export function useFieldWiring<P extends Controllable>(props: P): P {
  const field = useContext(FieldContext);
  if (!field) return props;
  return {
    ...props,
    id: field.id,
    required: props.required ?? (field.isRequired || undefined),
    "aria-describedby": clsx(field.describedBy, props["aria-describedby"]) || undefined,
    "aria-invalid": field.isInvalid || props["aria-invalid"] || undefined,
  };
}

/** Related fields under one legend. */
export function FieldGroup({
  legend,
  hint,
  error,
  isLabelHidden,
  children,
}: Omit<FieldProps, "label"> & { legend: ReactNode }) {
  const id = useId();
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1"
      aria-describedby={
        clsx(hint && `${id}-hint`, sentencesOf(error).length > 0 && `${id}-error`) || undefined
      }
    >
      <legend className={isLabelHidden ? "sr-only" : "mb-1.5 font-semibold"}>{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="-mt-1 text-sm text-soft">
          {hint}
        </p>
      )}
      {children}
      <FieldErrors id={`${id}-error`} error={error} />
    </fieldset>
  );
}
