// A row of one's own list (U-49, S-20): handle, title, eye, pencil, up and down; the pencil turns it into its form.
import { Link, useFetcher, useSearchParams } from "@remix-run/react";
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EditToggle } from "~/components/ui/edit-toggle";
import { useHydrated } from "~/hooks/use-hydrated";
import { ItemFacts } from "./item-card";
import { ItemForm } from "./item-form";
import type { ParentOption, ShownItem } from "./shapes";

type Props = {
  item: ShownItem;
  options: readonly ParentOption[];
  handle: ReactNode;
  isLifted: boolean;
  /** The hut in whose list it stands. */
  board: string | null;
  canGo: { up: boolean; down: boolean };
  /** True: moved here; else the server moves it, over the edge of the page. */
  onStep: (by: -1 | 1) => boolean;
};

export function ItemRow({ item, options, handle, isLifted, board, canGo, onStep }: Props) {
  const [query] = useSearchParams();
  const [isEditing, setEditing] = useState(query.get("edit") === String(item.id));
  const openQuery = new URLSearchParams(query);
  openQuery.set("edit", String(item.id));
  const closedQuery = new URLSearchParams(query);
  closedQuery.delete("edit");
  return (
    <Card className={clsx("flex flex-col gap-3 p-3! sm:p-4!", isLifted && "shadow-float")}>
      <div className="flex items-start gap-1 sm:gap-2">
        {handle}
        <div className="min-w-0 flex-1 self-center">
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
        <ItemForm item={item} options={options} hasFocus onDone={() => setEditing(false)} />
      ) : (
        <div className="-mt-2 flex flex-wrap justify-end">
          <PublishEye item={item} />
          <StepButton item={item} board={board} step="up" canGo={canGo.up} onPress={() => onStep(-1)} />
          <StepButton item={item} board={board} step="down" canGo={canGo.down} onPress={() => onStep(1)} />
        </div>
      )}
    </Card>
  );
}

/** With JavaScript the page stays as it is. */
const Stay = () => (useHydrated() ? <input type="hidden" name="stay" value="1" /> : null);

/** The eye toggles Published and Unpublished. */
export function PublishEye({ item }: { item: ShownItem }) {
  const fetcher = useFetcher();
  const wanted = fetcher.formData?.get("isPublished");
  const isPublished = wanted === undefined ? item.status === 1 : wanted === "1";
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="intent" value="item.publish" />
      <input type="hidden" name="item" value={item.id} />
      <input type="hidden" name="isPublished" value={isPublished ? 0 : 1} />
      <Stay />
      <Button
        type="submit"
        variant="ghost"
        className="max-sm:px-2"
        aria-label={`${item.title}: ${isPublished ? "Published" : "Unpublished"}`}
      >
        <Icon name={isPublished ? "eye" : "eye-off"} />
        {isPublished ? "Published" : "Unpublished"}
      </Button>
    </fetcher.Form>
  );
}

const ARROWS: Record<"up" | "down", IconName> = { up: "arrow-up", down: "arrow-down" };
type StepProps = {
  item: ShownItem;
  board: string | null;
  step: "up" | "down";
  canGo: boolean;
  onPress: () => boolean;
};

function StepButton({ item, board, step, canGo, onPress }: StepProps) {
  const fetcher = useFetcher();
  return (
    <fetcher.Form
      method="post"
      onSubmit={(event) => {
        if (!canGo || onPress()) event.preventDefault();
      }}
    >
      <input type="hidden" name="intent" value="item.step" />
      <input type="hidden" name="item" value={item.id} />
      <input type="hidden" name="step" value={step} />
      {board !== null && <input type="hidden" name="board" value={board} />}
      <Stay />
      <Button
        type="submit"
        variant="ghost"
        size="icon"
        data-focus={`${item.id}:${step}`}
        aria-label={`Move ${item.title} ${step}`}
        aria-disabled={!canGo || undefined}
        className={clsx(!canGo && "opacity-45")}
      >
        <Icon name={ARROWS[step]} />
      </Button>
    </fetcher.Form>
  );
}
