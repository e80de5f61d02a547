// The forms of an item.
import { z } from "zod";
import { ItemChange, ItemInput } from "~/domain/items/items";
import { manyLines, oneLine } from "~/domain/text-fields";
import { id } from "~/wire/values";

/** `hut:7`, `item:9` or nothing. */
const parent = oneLine()
  .default("")
  .transform((text) => {
    const [, kind, number] = /^(hut|item):(\d{1,15})$/.exec(text) ?? [];
    return {
      hutId: kind === "hut" ? Number(number) : null,
      parentId: kind === "item" ? Number(number) : null,
    };
  });
const fields = z.object({
  title: oneLine().default(""),
  content: manyLines().default(""),
  parent,
  isPublished: oneLine().optional(),
});
const toItemInput = ({ parent: { hutId, parentId }, isPublished, ...rest }: z.output<typeof fields>) => ({
  ...rest,
  hutId,
  parentId,
  isPublished: isPublished === "on",
});
export const ItemFormInput = fields
  .transform(toItemInput)
  .pipe(ItemInput as never) as unknown as z.ZodType<ItemInput>;
// The form always sends both texts: empty content clears the item's content, and an empty title is an error.
const ItemChangeWithTexts = ItemChange.extend({
  title: ItemInput.shape.title,
  content: ItemInput.shape.content,
});
export const ItemFormChange = fields
  .extend({ item: id })
  .transform(({ item, ...fields }) => ({ id: item, ...toItemInput(fields) }))
  .pipe(ItemChangeWithTexts as never) as unknown as z.ZodType<ItemChange>;
export const PublishInput = z
  .object({ item: id, isPublished: oneLine() })
  .transform(({ item, isPublished }) => ({ id: item, isPublished: isPublished === "1" }));
export const MoveItemInput = z
  .object({ item: id, step: z.enum(["up", "down"]), board: oneLine().optional() })
  .transform(({ item, step, board }) => ({ id: item, step, board }));

export const ItemIdInput = z.object({ item: id }).transform(({ item }) => ({ id: item }));
