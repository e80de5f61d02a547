// Writing in a forum, of a session or of a hut: the fields of a post, and where its answer leads.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { createPost } from "~/use-cases/posts.server";
import { id } from "~/wire/values";
import { act, on } from "./act.server";

const draft = {
  uuid: z.string().max(100).optional(),
  title: z.string().max(200, "Please keep the title under 200 characters.").optional(),
  content: z.string("Please write something."),
  parentId: id.optional(),
};
const HutPost = z.object({ ...draft, hut: z.string() });
const SessionPost = z.object({ ...draft, session: id });

/** Without JavaScript the answer leads back to the forum; with it the form stays and empties itself. */
export async function actPost(args: ActionFunctionArgs, where: "hut" | "session", forum: string) {
  const stays = (await args.request.clone().formData()).get("stay") === "1";
  const then = stays ? {} : { then: () => forum };
  return act(args, {
    post: where === "hut" ? on(HutPost, createPost, then) : on(SessionPost, createPost, then),
  });
}
