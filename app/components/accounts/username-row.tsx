// The username of a registration. If it has characters that are not allowed, the hint offers a valid version.
import { type ComponentProps, useRef, useState } from "react";
import { TextRow } from "~/components/form/rows";
import { linkClass } from "~/components/ui/text-link";
import { suggestedUsername } from "~/domain/accounts/rules";

type UsernameProps = Pick<ComponentProps<typeof TextRow>, "name" | "error"> & { defaultValue: string };

export function UsernameRow({ defaultValue, ...field }: UsernameProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(defaultValue);
  const suggested = suggestedUsername(typed);
  const takeSuggestion = () => {
    if (!input.current || suggested === null) return;
    input.current.value = suggested;
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
    input.current.focus();
    setTyped(suggested);
  };
  return (
    <TextRow
      {...field}
      ref={input}
      label="Username"
      autoComplete="nickname"
      defaultValue={defaultValue}
      onChange={(event) => setTyped(event.target.value)}
      hint={
        suggested === null ? (
          "This is how others will know you. It cannot be changed later."
        ) : (
          <>
            You can be{" "}
            <button type="button" className={linkClass} onClick={takeSuggestion}>
              {suggested}
            </button>{" "}
            here.
          </>
        )
      }
      isRequired
    />
  );
}
