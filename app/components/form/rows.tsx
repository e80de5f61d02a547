// Form rows: a label, a control and its error. A row takes the props that `form.field()` returns.
import { forwardRef } from "react";
import { Field, type FieldProps } from "~/components/ui/field";
import {
  Select,
  type SelectProps,
  TextArea,
  type TextAreaProps,
  TextInput,
  type TextInputProps,
} from "~/components/ui/inputs";

type RowProps = Omit<FieldProps, "children" | "className"> & { className?: string };

const splitProps = <P extends RowProps>({
  label,
  hint,
  error,
  isRequired,
  isLabelHidden,
  aside,
  id,
  className,
  ...control
}: P) => ({
  row: {
    label,
    hint,
    error,
    aside,
    isRequired: isRequired ?? false,
    isLabelHidden: isLabelHidden ?? false,
    ...(id === undefined ? {} : { id }),
    ...(className === undefined ? {} : { className }),
  },
  control,
});

export const TextRow = forwardRef<HTMLInputElement, RowProps & Omit<TextInputProps, "id" | "className">>(
  function TextRow(props, ref) {
    const { row, control } = splitProps(props);
    const isIdentifier = props.type === "email" || props.autoComplete === "username";
    return (
      <Field {...row}>
        <TextInput
          ref={ref}
          autoComplete="off"
          {...(isIdentifier ? { spellCheck: false, autoCapitalize: "none" } : {})}
          {...control}
        />
      </Field>
    );
  },
);

export function TextAreaRow(props: RowProps & Omit<TextAreaProps, "id" | "className">) {
  const { row, control } = splitProps(props);
  return (
    <Field {...row}>
      <TextArea {...control} />
    </Field>
  );
}

export function SelectRow(props: RowProps & Omit<SelectProps, "id" | "className">) {
  const { row, control } = splitProps(props);
  return (
    <Field {...row}>
      <Select {...control} />
    </Field>
  );
}
