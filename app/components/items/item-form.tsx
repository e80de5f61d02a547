// The form of an item (U-48): title, text, parent, published or not. Any edit of title or text counts as changed.
import { type ReactNode, useState } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Switch } from "~/components/ui/choices";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { ParentPicker } from "./parent-picker";
import { type ParentOption, parentOf, type ShownItem } from "./shapes";

type Props = {
  /** Null: a new one. */
  item: ShownItem | null;
  options: readonly ParentOption[];
  /** Chosen beforehand for a new one. */
  chosen?: string;
  onDone?: () => void;
  cancel?: ReactNode;
  /** The item's own page: saving and deleting lead on from it. */
  isOwnPage?: boolean;
  hasFocus?: boolean;
};

export function ItemForm({ item, options, chosen = "", onDone, cancel, isOwnPage = false, hasFocus }: Props) {
  const [isChanged, setChanged] = useState(false);
  const form = useMyForm(item ? "item.update" : "item.create", {
    about: { ...(item ? { item: item.id } : {}), ...(isOwnPage ? { leads: 1 } : {}) },
    isClearedWhenDone: !item,
    leaves: isOwnPage,
    onDone: () => {
      setChanged(false);
      onDone?.();
    },
  });
  const change = () => setChanged(true);
  const text = (name: "title" | "content"): string => form.shown(name, item?.[name] ?? "");
  const isPublished = form.shown("isPublished", item?.status === 1 ? "on" : "") === "on";
  return (
    <div className="relative">
      <form.Form
        {...form.formProps}
        className="flex flex-col gap-4"
        aria-label={item ? `Edit ${item.title}` : "New item"}
        data-changed={isChanged || undefined}
      >
        {form.hidden}
        <Field label="Title" isRequired error={form.errorsOf("title")}>
          <TextInput
            name="title"
            required
            maxLength={200}
            autoComplete="off"
            defaultValue={text("title")}
            onInput={change}
            autoFocus={hasFocus}
          />
        </Field>
        <RichTextField
          name="content"
          label="Content"
          defaultValue={text("content")}
          saved={item?.content ?? ""}
          error={form.errorsOf("content")}
          draftKey={item ? `item:${item.id}` : "item:new"}
          about={item ? `item-${item.id}` : "item"}
          onChange={change}
        />
        <ParentPicker
          key={chosen}
          options={item ? options.filter((option) => option.value !== `item:${item.id}`) : options}
          defaultValue={form.shown("parent", item ? parentOf(item) : chosen)}
          error={[...form.errorsOf("parentId"), ...form.errorsOf("hutId")]}
          onChange={change}
        />
        <Switch
          name="isPublished"
          label="Published"
          hint="Published items show on your page; others stay yours alone."
          defaultChecked={isPublished}
        />
        <MyFormProblems form={form} />
        <p className="text-sm text-soft empty:hidden" role="status">
          {isChanged ? "Changed, not saved yet." : ""}
        </p>
        <div className="flex flex-wrap items-center gap-3 pe-14">
          <Button type="submit" variant="primary" isLoading={form.isBusy}>
            {item ? "Save" : "Create"}
          </Button>
          {cancel}
        </div>
      </form.Form>
      {item && (
        <div className="absolute end-0 bottom-0">
          <DeleteItem item={item} isOwnPage={isOwnPage} />
        </div>
      )}
    </div>
  );
}

/** Seen in the form's last row, yet beside the form, for its dialog holds one of its own. */
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
          : { fields: { intent: "item.delete", item: item.id, stay: 1 }, navigate: false }
      }
    >
      This cannot be undone. What stands under it moves up to where it stood.
    </ConfirmDialog>
  );
}
