// The rows of account forms: a labelled field wired to conform, a password that can be looked at, the form's own errors.
import { type FieldMetadata, getInputProps } from "@conform-to/react";
import { type ReactNode, useState } from "react";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { useHydrated } from "~/hooks/use-hydrated";

type RowProps = {
  // A field of any schema.
  field: FieldMetadata<string | undefined> | FieldMetadata<string>;
  label: string;
  hint?: ReactNode;
  aside?: ReactNode;
  isRequired?: boolean;
  autoComplete: string;
};

const inputProps = (field: RowProps["field"], type: "text" | "email" | "password") => {
  const { key: _, ...props } = getInputProps(field as FieldMetadata<string>, { type, ariaAttributes: false });
  return props;
};

export function TextRow(props: RowProps & { type?: "text" | "email" }) {
  const { field, label, hint, aside, isRequired, autoComplete, type = "text" } = props;
  const isName = type === "email" || autoComplete === "username";
  return (
    <Field label={label} hint={hint} aside={aside} error={field.errors} isRequired={isRequired} id={field.id}>
      <TextInput
        key={field.key}
        {...inputProps(field, type)}
        autoComplete={autoComplete}
        {...(isName ? { spellCheck: false } : {})}
        {...(isName && type === "text" ? { autoCapitalize: "none" } : {})}
      />
    </Field>
  );
}

export function PasswordRow(props: RowProps) {
  const { field, label, hint, aside, isRequired = true, autoComplete } = props;
  const [isShown, setShown] = useState(false);
  const isHydrated = useHydrated();
  return (
    <Field label={label} hint={hint} aside={aside} error={field.errors} isRequired={isRequired} id={field.id}>
      <div className="relative">
        <TextInput
          key={field.key}
          {...inputProps(field, "password")}
          type={isShown ? "text" : "password"}
          autoComplete={autoComplete}
          {...(isShown ? { autoCapitalize: "none" } : {})}
          spellCheck={false}
          className="pe-18"
        />
        {isHydrated && (
          <button
            type="button"
            aria-pressed={isShown}
            aria-controls={field.id}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 end-0 min-w-16 rounded-md px-3 text-sm font-semibold text-soft hover:text-ink"
          >
            {isShown ? "Hide" : "Show"}
          </button>
        )}
      </div>
    </Field>
  );
}

/** What is wrong with the whole form, between its fields and its button (M-02, M-03). */
export function FormProblems({ problems }: { problems: string[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="error" isLive>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Notice>
  );
}
