// The tools of a log or a note in a list: edit (without JavaScript a link to `?edit={id}`), additional tools, and
// delete with a confirmation.
import { Link } from "@remix-run/react";
import type { ReactNode, Ref } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";

type Props = {
  noun: "log" | "note";
  id: number;
  onEdit: () => void;
  pencil?: Ref<HTMLAnchorElement> | undefined;
  /** The consequences of deleting it. */
  warning: string;
  className: string;
  /** Additional tools, between edit and delete. */
  children?: ReactNode;
};

export const RowTools = ({ noun, id, onEdit, pencil, warning, className, children }: Props) => (
  <div className={className}>
    <Button asChild variant="ghost" size="icon">
      <Link
        ref={pencil}
        to={`?edit=${id}`}
        preventScrollReset
        aria-label={`Edit ${noun}`}
        onClick={(event) => {
          event.preventDefault();
          onEdit();
        }}
      >
        <Icon name="edit" />
      </Link>
    </Button>
    {children}
    <ConfirmDialog
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Delete ${noun}`}>
          <Icon name="delete" />
        </Button>
      }
      title={`Delete this ${noun}?`}
      confirmLabel="Delete"
      form={{ fields: { intent: `${noun}.delete`, [noun]: id } }}
    >
      {warning}
    </ConfirmDialog>
  </div>
);
