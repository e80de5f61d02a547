// What the forms of items post, on the Me pages and on an item's own page: each posts to the page it stands on. With
// JavaScript the page stays (`stay`); without, it leads back to that page, closed forms and all.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { ItemChange, ItemInput } from "~/domain/items";
import { act, on } from "~/http/act.server";
import type { UseCase } from "~/use-cases/app.server";
import { createItem, deleteItem, updateItem } from "~/use-cases/items.server";
import { id } from "~/wire/values";

type Handled = ReturnType<typeof on>;

export const here = <S extends z.ZodType, R>(
  schema: S,
  useCase: UseCase<z.output<S>, R>,
  { toast, leads }: { toast?: string; leads?: (result: R) => string } = {},
): Handled => ({
  run(args, form, intent) {
    const stays = form.get("stay") === "1";
    const isLed = form.get("leads") === "1";
    form.delete("stay");
    const url = new URL(args.request.url);
    for (const opened of ["edit", "create", "book_id", "_data"]) url.searchParams.delete(opened);
    const back = (result: R) =>
      isLed && leads ? leads(result) : `${url.pathname.replace(/\.data$/, "")}${url.search}`;
    const said = toast === undefined ? {} : { toast };
    return on(schema, useCase, stays && !(isLed && leads) ? said : { ...said, then: back }).run(
      args,
      form,
      intent,
    );
  },
});

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

const intents: Record<string, Handled> = {
  "item.create": here(Create, createItem, { toast: "Success!" }),
  "item.update": here(Update, updateItem, { toast: "Success!", leads: (item) => item.path }),
  "item.publish": here(Publish, updateItem, { leads: (item) => item.path }),
  "item.step": here(Step, updateItem),
  "item.delete": here(
    z.object({ item: id }).transform(({ item }) => ({ id: item })),
    deleteItem,
    { toast: "The item was deleted." },
  ),
};

export const itemAction = (args: ActionFunctionArgs) => act(args, intents);
