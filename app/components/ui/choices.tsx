// Checkbox, switch and radio: native inputs with their label; the whole row is the target.
import clsx from "clsx";
import { type ComponentPropsWithoutRef, forwardRef, type ReactNode, useId } from "react";
import { type FieldError, FieldErrors, RequiredStar, sentencesOf } from "./field";

export type ChoiceProps = Omit<ComponentPropsWithoutRef<"input">, "type" | "role"> & {
  label: ReactNode;
  hint?: ReactNode;
  error?: FieldError;
  isLabelHidden?: boolean;
};

type Kind = "checkbox" | "switch" | "radio";

const Choice = forwardRef<HTMLInputElement, ChoiceProps & { kind: Kind }>(function Choice(props, ref) {
  const { kind, label, hint, error, isLabelHidden, className, id: givenId, ...rest } = props;
  const ownId = useId();
  const id = givenId ?? ownId;
  const isInvalid = sentencesOf(error).length > 0;
  return (
    <div className={className}>
      <label htmlFor={id} className="choice">
        <input
          ref={ref}
          id={id}
          type={kind === "radio" ? "radio" : "checkbox"}
          role={kind === "switch" ? "switch" : undefined}
          className={kind === "switch" ? "switch" : "check"}
          aria-describedby={clsx(hint && `${id}-hint`, isInvalid && `${id}-error`) || undefined}
          aria-invalid={isInvalid || undefined}
          {...rest}
        />
        <span className={clsx(isLabelHidden && "sr-only")}>
          {label}
          {/* The legend of its group marks a required radio. */}
          {rest.required && kind !== "radio" && <RequiredStar />}
        </span>
      </label>
      {hint && (
        <p
          id={`${id}-hint`}
          className={clsx("-mt-1 text-sm text-soft", kind === "switch" ? "ps-14" : "ps-8.5")}
        >
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} error={error} />
    </div>
  );
});

export const Checkbox = forwardRef<HTMLInputElement, ChoiceProps>(function Checkbox(props, ref) {
  return <Choice ref={ref} {...props} kind="checkbox" />;
});

export const Switch = forwardRef<HTMLInputElement, ChoiceProps>(function Switch(props, ref) {
  return <Choice ref={ref} {...props} kind="switch" />;
});

export const Radio = forwardRef<HTMLInputElement, ChoiceProps>(function Radio(props, ref) {
  return <Choice ref={ref} {...props} kind="radio" />;
});
