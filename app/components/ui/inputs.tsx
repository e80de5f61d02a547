// Native text fields, text areas and selects in our look. Inside a Field they get their ids from it.
import clsx from "clsx";
import { type ComponentPropsWithoutRef, forwardRef } from "react";
import { useFieldWiring } from "./field";

export type TextInputProps = ComponentPropsWithoutRef<"input">;

export const TextInput = forwardRef<HTMLInputElement, TextInputProps>(function TextInput(props, ref) {
  const { className, type = "text", ...fieldProps } = useFieldWiring(props);
  const dir = type === "text" || type === "search" ? "auto" : undefined;
  return <input ref={ref} type={type} dir={dir} className={clsx("control", className)} {...fieldProps} />;
});

export type TextAreaProps = ComponentPropsWithoutRef<"textarea">;

export const TextArea = forwardRef<HTMLTextAreaElement, TextAreaProps>(function TextArea(props, ref) {
  const { className, rows = 4, ...fieldProps } = useFieldWiring(props);
  return <textarea ref={ref} rows={rows} dir="auto" className={clsx("control", className)} {...fieldProps} />;
});

type SelectOption = { value: string | number; label: string; isDisabled?: boolean };
export type SelectProps = ComponentPropsWithoutRef<"select"> & {
  /** Without them, the children are <option> elements. */
  options?: readonly SelectOption[];
  /** A first, empty choice. */
  placeholder?: string;
};

export const Select = forwardRef<HTMLSelectElement, SelectProps>(function Select(props, ref) {
  const { className, options, placeholder, children, ...fieldProps } = useFieldWiring(props);
  return (
    <select ref={ref} className={clsx("control", className)} {...fieldProps}>
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {options?.map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled}>
          {option.label}
        </option>
      ))}
      {children}
    </select>
  );
});
