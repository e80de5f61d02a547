// A row of the user's own list (U-49, S-20): handle, title, eye, pencil, up and down; the pencil replaces it with its
// form.
import { Link, useSearchParams } from "@remix-run/react";
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { ActionForm } from "~/components/form/action-form";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EditToggle } from "~/components/ui/edit-toggle";
import { ITEM_STATUS } from "~/domain/items/status";
import { useActionForm } from "~/hooks/form/use-action-form";
import { ItemFacts } from "./card";
import { ItemForm } from "./form";
import type { ParentOption, ShownItem } from "./shapes";

type Props = {
  item: ShownItem;
  options: readonly ParentOption[];
  handle: ReactNode;
  isLifted: boolean;
  /** The slug of the hut whose list contains it. */
  board: string | null;
  canMove: { up: boolean; down: boolean };
  /** Moves the item within the page. Returns false at the page's edge, where the form asks the server to move it. */
  onStep: (offset: -1 | 1) => boolean;
};

export function ItemRow({ item, options, handle, isLifted, board, canMove, onStep }: Props) {
  const [query] = useSearchParams();
  const [isEditing, setEditing] = useState(query.get("edit") === String(item.id));
  const openQuery = new URLSearchParams(query);
  openQuery.set("edit", String(item.id));
  const closedQuery = new URLSearchParams(query);
  closedQuery.delete("edit");
  return (
    <Card className={clsx("flex flex-col gap-3 p-3! sm:p-4!", isLifted && "shadow-float")}>
      <div className="flex flex-wrap items-start gap-x-1 sm:gap-x-2">
        {handle}
        <div className="min-w-0 flex-1 basis-36 self-center">
          <ItemFacts item={item} hidesStatus />
          <h2 className="text-lg wrap-anywhere">
            <Link to={item.path} className="rounded-sm underline-offset-4 hover:underline">
              {item.title}
            </Link>
          </h2>
          {!isEditing && item.summary && (
            <p className="line-clamp-2 text-soft wrap-anywhere">{item.summary}</p>
          )}
        </div>
        <EditToggle
          isOpen={isEditing}
          to={`?${isEditing ? closedQuery : openQuery}`}
          label={isEditing ? `Close ${item.title}` : `Edit ${item.title}`}
          onToggle={setEditing}
        />
      </div>
      {isEditing ? (
        <ItemForm item={item} options={options} takesFocus onDone={() => setEditing(false)} />
      ) : (
        <div className="-mt-2 flex flex-wrap justify-end">
          <PublishEye item={item} />
          <StepButton item={item} board={board} step="up" canMove={canMove.up} onPress={() => onStep(-1)} />
          <StepButton
            item={item}
            board={board}
            step="down"
            canMove={canMove.down}
            onPress={() => onStep(1)}
          />
        </div>
      )}
    </Card>
  );
}

/** The eye toggles Published and Unpublished. */
export function PublishEye({ item }: { item: ShownItem }) {
  const wasPublished = item.status === ITEM_STATUS.published;
  const form = useActionForm({
    intent: "item.publish",
    hiddenFields: { item: item.id, isPublished: wasPublished ? 0 : 1 },
  });
  // The new state shows before the server answers.
  const isPublished = form.isBusy ? !wasPublished : wasPublished;
  return (
    <ActionForm form={form}>
      <Button
        type="submit"
        variant="ghost"
        className="max-sm:px-2"
        aria-label={`${item.title}: ${isPublished ? "Published" : "Unpublished"}`}
      >
        <Icon name={isPublished ? "eye" : "eye-off"} />
        {isPublished ? "Published" : "Unpublished"}
      </Button>
    </ActionForm>
  );
}

const ARROWS: Record<"up" | "down", IconName> = { up: "arrow-up", down: "arrow-down" };
type StepProps = {
  item: ShownItem;
  board: string | null;
  step: "up" | "down";
  canMove: boolean;
  onPress: () => boolean;
};

function StepButton({ item, board, step, canMove, onPress }: StepProps) {
  const form = useActionForm({
    intent: "item.step",
    hiddenFields: { item: item.id, step, ...(board === null ? {} : { board }) },
    handleHere: () => !canMove || onPress(),
  });
  return (
    <ActionForm form={form}>
      <Button
        type="submit"
        variant="ghost"
        size="icon"
        data-focus={`${item.id}:${step}`}
        aria-label={`Move ${item.title} ${step}`}
        aria-disabled={!canMove || undefined}
        className={clsx(!canMove && "opacity-45")}
      >
        <Icon name={ARROWS[step]} />
      </Button>
    </ActionForm>
  );
}
