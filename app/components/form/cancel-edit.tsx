// The Cancel button of a form that is edited in place.
import { useSearchParams } from "@remix-run/react";
import { Button } from "~/components/ui/button";

/** Closes an edit form by state, or by URL if the URL opened it. */
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
