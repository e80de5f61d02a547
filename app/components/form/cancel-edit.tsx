// The Cancel button of a form that edits in place.
import { useSearchParams } from "@remix-run/react";
import { Button } from "~/components/ui/button";

/** Removes the forms that the URL opens, `edit` and `log`, from it, and always calls `onCancel`. */
export function CancelEditButton({ onCancel }: { onCancel: () => void }) {
  const [query, setQuery] = useSearchParams();
  const close = () => {
    if (query.has("edit") || query.has("log"))
      setQuery(
        (params) => {
          params.delete("edit");
          params.delete("log");
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
