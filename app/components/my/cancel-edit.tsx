// The way out of a form that stands in place of what it edits.
import { useSearchParams } from "@remix-run/react";
import { Button } from "~/components/ui/button";

/** Closes an edit form: by state, or by the address where it was opened by the address. */
export function CancelEdit({ onCancel }: { onCancel: () => void }) {
  const [query, setQuery] = useSearchParams();
  const close = () => {
    if (query.has("edit"))
      setQuery(
        (now) => {
          now.delete("edit");
          return now;
        },
        { preventScrollReset: true, replace: true },
      );
    onCancel();
  };
  return <Button onClick={close}>Cancel</Button>;
}
