// The intents of items' forms, on the Me pages and on an item's own page: each form posts to the page it is on.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { ItemChange, ItemInput } from "~/domain/items";
import { act, type Intents, on } from "~/http/act.server";
import { createItem, deleteItem, updateItem } from "~/use-cases/items.server";
import { id } from "~/wire/values";

/** `hut:7`, `item:9` or nothing. */
const parent = z
  .string()
  .default("")
  .transform((text) => {
    const [, kind, number] = /^(hut|item):(\d{1,15})$/.exec(text) ?? [];
    return {
      hutId: kind === "hut" ? Number(number) : null,
      parentId: kind === "item" ? Number(number) : null,
    };
  });
const typed = z.object({
  title: z.string().default(""),
  content: z.string().default(""),
  parent,
  isPublished: z.string().optional(),
});
const fieldsOf = ({ parent: { hutId, parentId }, isPublished, ...rest }: z.output<typeof typed>) => ({
  ...rest,
  hutId,
  parentId,
  isPublished: isPublished === "on",
});
const Create = typed.transform(fieldsOf).pipe(ItemInput as never) as unknown as z.ZodType<ItemInput>;
// A form holds all of it: what was emptied is empty, and a title there must be.
const Change = ItemChange.extend({ title: ItemInput.shape.title, content: ItemInput.shape.content });
const Update = typed
  .extend({ item: id })
  .transform(({ item, ...fields }) => ({ id: item, ...fieldsOf(fields) }))
  .pipe(Change as never) as unknown as z.ZodType<ItemChange>;
const Publish = z
  .object({ item: id, isPublished: z.string() })
  .transform(({ item, isPublished }) => ({ id: item, isPublished: isPublished === "1" }));
const Step = z
  .object({ item: id, step: z.enum(["up", "down"]), board: z.string().optional() })
  .transform(({ item, step, board }) => ({ id: item, step, board }));

/** An item's own page follows its slug, which a new title changes. */
const ownPage = ({ path }: { path: string }, form: FormData) => (form.has("leads") ? path : undefined);

const intents: Intents = {
  "item.create": on(Create, createItem, { toast: "Success!" }),
  "item.update": on(Update, updateItem, { toast: "Success!", then: ownPage }),
  "item.publish": on(Publish, updateItem),
  "item.step": on(Step, updateItem),
  "item.delete": on(
    z.object({ item: id }).transform(({ item }) => ({ id: item })),
    deleteItem,
    { toast: "The item was deleted." },
  ),
};

export const itemAction = (args: ActionFunctionArgs) => act(args, intents);
