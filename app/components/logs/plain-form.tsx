// A button that calls the server, and is a plain form before JavaScript has loaded.
import type { ReactNode } from "react";

type Props = {
  /** What the page's action takes, `intent` included. */
  fields: Record<string, string | number>;
  onPress: () => void;
  children: ReactNode;
  className?: string;
};

export function PlainForm({ fields, onPress, children, className }: Props) {
  return (
    <form
      method="post"
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onPress();
      }}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
