// The intents of item forms, on the Me pages and on an item's own page: each form submits to its page.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { ItemFormChange, ItemFormInput, ItemIdInput, MoveItemInput, PublishInput } from "~/forms/items/items";
import { act, type Intents, on } from "~/http/act.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { createItem, deleteItem, readItem, updateItem } from "~/use-cases/items/items.server";

/** The form of an item's own page redirects to the item's path, because its slug changes with the title. */
const pathOfItemPage = ({ path }: { path: string }, form: FormData) => (form.has("leads") ? path : undefined);

const intents: Intents = {
  "item.create": on(ItemFormInput, createItem, { toast: "Success!", readAgain: readItem }),
  "item.update": on(ItemFormChange, updateItem, { toast: "Success!", redirectTo: pathOfItemPage }),
  "item.publish": on(PublishInput, updateItem),
  "item.step": on(MoveItemInput, updateItem),
  "item.delete": on(ItemIdInput, deleteItem, { toast: "The item was deleted." }),
};

export const itemAction = (args: ActionFunctionArgs) => act(args, intents, MAX_BYTES_WITH_TEXTS);
