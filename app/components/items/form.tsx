// The form of an item (U-48): title, text, parent, published or not. Any edit of title or text counts as a change.
import { type ReactNode, useState } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Switch } from "~/components/ui/choices";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { ITEM_STATUS } from "~/domain/items/status";
import { useActionForm } from "~/hooks/form/use-action-form";
import { ParentPicker } from "./parent-picker";
import { type ParentOption, parentValueOf, type ShownItem, withPresentParent } from "./shapes";

type Props = {
  /** Null for a new item. */
  item: ShownItem | null;
  options: readonly ParentOption[];
  /** The preselected parent of a new item. */
  chosenParent?: string;
  onDone?: () => void;
  cancel?: ReactNode;
  /** The item's own page: saving and deleting redirect away from it. */
  isOwnPage?: boolean;
  takesFocus?: boolean;
};

export function ItemForm({
  item,
  options,
  chosenParent = "",
  onDone,
  cancel,
  isOwnPage = false,
  takesFocus,
}: Props) {
  const [isChanged, setChanged] = useState(false);
  const form = useActionForm({
    intent: item ? "item.update" : "item.create",
    hiddenFields: { ...(item ? { item: item.id } : {}), ...(isOwnPage ? { leads: 1 } : {}) },
    draft: `item ${item?.id ?? "new"}`,
    clearsWhenDone: !item,
    redirects: isOwnPage,
    onDone: () => {
      setChanged(false);
      onDone?.();
    },
  });
  const markChanged = () => setChanged(true);
  const isPublished =
    form.shownValue("isPublished", item?.status === ITEM_STATUS.published ? "on" : "") === "on";
  return (
    <div className="relative">
      <ActionForm
        form={form}
        className="flex flex-col gap-4"
        aria-label={item ? `Edit ${item.title}` : "New item"}
        data-changed={isChanged || form.draft.isRestored || undefined}
      >
        <TextRow
          {...form.field("title", item?.title)}
          label="Title"
          isRequired
          maxLength={200}
          onInput={markChanged}
          autoFocus={takesFocus}
        />
        <RichTextField
          {...form.field("content", item?.content)}
          label="Content"
          saved={item?.content ?? ""}
          isDrafted
          imageOwner={item ? `item-${item.id}` : "item"}
          onChange={markChanged}
        />
        <ParentPicker
          key={chosenParent}
          options={
            item
              ? withPresentParent(options, item).filter((option) => option.value !== `item:${item.id}`)
              : options
          }
          defaultValue={form.shownValue("parent", item ? parentValueOf(item) : chosenParent)}
          error={[...form.errorsOf("parentId"), ...form.errorsOf("hutId")]}
          onChange={markChanged}
        />
        <Switch
          name="isPublished"
          label="Published"
          hint="Published items appear on your page. Only you can see the others."
          defaultChecked={isPublished}
        />
        <FormErrors form={form} />
        <p className="text-sm text-soft empty:hidden" role="status">
          {isChanged || form.draft.isRestored ? "Changed, not saved yet." : ""}
        </p>
        <div className="flex flex-wrap items-center gap-3 pe-14">
          <Button type="submit" variant="primary" isLoading={form.isBusy}>
            {item ? "Save" : "Create"}
          </Button>
          {cancel}
        </div>
      </ActionForm>
      {item && (
        <div className="absolute end-0 bottom-0">
          <DeleteItem item={item} isOwnPage={isOwnPage} />
        </div>
      )}
    </div>
  );
}

/** Displayed in the form's last row but outside the form, because its dialog contains another form. */
function DeleteItem({ item, isOwnPage }: { item: ShownItem; isOwnPage: boolean }) {
  return (
    <ConfirmDialog
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Delete ${item.title}`}>
          <Icon name="delete" />
        </Button>
      }
      title={`Delete “${item.title}”?`}
      confirmLabel="Delete"
      form={
        isOwnPage
          ? { action: "/me", fields: { intent: "item.delete", item: item.id } }
          : { fields: { intent: "item.delete", item: item.id } }
      }
    >
      This cannot be undone. Items below move up one level.
    </ConfirmDialog>
  );
}
