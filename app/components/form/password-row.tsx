// A password field with a button that shows its text.
import { type ReactNode, useId, useState } from "react";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { useHydrated } from "~/hooks/use-hydrated";

type Props = {
  name: string;
  defaultValue: string;
  error: string[];
  label: string;
  hint?: ReactNode;
  aside?: ReactNode;
  autoComplete: string;
};

export function PasswordRow({ name, defaultValue, autoComplete, ...row }: Props) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const isHydrated = useHydrated();
  return (
    <Field {...row} isRequired id={id}>
      <div className="relative">
        <TextInput
          name={name}
          defaultValue={defaultValue}
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
            aria-controls={id}
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
