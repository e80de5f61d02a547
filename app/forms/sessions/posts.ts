// The form of a post in the forum of a hut or a session.
import { z } from "zod";
import { manyLines, oneLine } from "~/domain/text-fields";
import { optionalId } from "~/forms/fields";
import { id } from "~/wire/values";

const draft = {
  uuid: oneLine().max(100).optional(),
  title: oneLine().max(200, "Please keep the title under 200 characters.").optional(),
  content: manyLines("Please write something."),
  parentId: optionalId,
};
export const PostEditInput = z.object({ post: id, title: draft.title, content: draft.content });
export const PostChoice = z.object({ post: id });
export const HutPostInput = z.object({ ...draft, hut: oneLine() });
export const SessionPostInput = z.object({ ...draft, session: id });
export const SeriesPostInput = z.object({ ...draft, series: oneLine() });
