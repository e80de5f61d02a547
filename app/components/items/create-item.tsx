// The toggle of the form for a new item, and the form (U-53): by an icon, or by `?create=1` without JavaScript.
import { Link, useSearchParams } from "@remix-run/react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { ItemForm } from "./form";
import type { ParentOption } from "./shapes";

const isCreating = (query: URLSearchParams) => query.get("create") === "1" || query.has("book_id");
const withoutForm = (query: URLSearchParams) => {
  const next = new URLSearchParams(query);
  next.delete("create");
  next.delete("book_id");
  return next;
};

export function CreateItemToggle() {
  const [query] = useSearchParams();
  const isOpen = isCreating(query);
  const toggled = withoutForm(query);
  if (!isOpen) toggled.set("create", "1");
  return (
    <Button asChild variant={isOpen ? "quiet" : "primary"}>
      <Link to={`?${toggled}`} preventScrollReset aria-expanded={isOpen}>
        <Icon name={isOpen ? "close" : "plus"} />
        {isOpen ? "Close the form" : "Create an Item"}
      </Link>
    </Button>
  );
}

export function CreateItem({
  options,
  chosenParent,
}: {
  options: readonly ParentOption[];
  chosenParent: string;
}) {
  const [query, setQuery] = useSearchParams();
  if (!isCreating(query)) return null;
  return (
    <Card as="section">
      <ItemForm
        item={null}
        options={options}
        chosenParent={chosenParent}
        takesFocus
        onDone={() => setQuery(withoutForm, { preventScrollReset: true })}
      />
    </Card>
  );
}
