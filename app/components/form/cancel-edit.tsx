// The Cancel button of a form that edits in place.
import { useSearchParams } from "@remix-run/react";
import { Button } from "~/components/ui/button";

/** Removes `edit` from the URL if the URL has it, and always calls `onCancel`. */
export function CancelEditButton({ onCancel }: { onCancel: () => void }) {
  const [query, setQuery] = useSearchParams();
  const close = () => {
    if (query.has("edit"))
      setQuery(
        (params) => {
          params.delete("edit");
          return params;
        },
        { preventScrollReset: true, replace: true },
      );
    onCancel();
  };
  return (
    <Button onClick={close} className="needs-script">
      Cancel
    </Button>
  );
}
