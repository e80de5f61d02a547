// The edit button that opens and closes a form in place, and gets the focus back. Without JavaScript it is a link.
import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "./button";

type Props = {
  isOpen: boolean;
  /** The page with the form toggled. */
  to: string;
  label: string;
  onToggle: (isOpen: boolean) => void;
};

export function EditToggle({ isOpen, to, label, onToggle }: Props) {
  const pencil = useRef<HTMLAnchorElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) pencil.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <Button asChild variant="ghost" size="icon">
      <Link
        ref={pencil}
        to={to}
        preventScrollReset
        aria-label={label}
        aria-expanded={isOpen}
        onClick={(event) => {
          event.preventDefault();
          onToggle(!isOpen);
        }}
      >
        <Icon name={isOpen ? "close" : "edit"} />
      </Link>
    </Button>
  );
}
