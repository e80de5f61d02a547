// Forum and chat: each documented call and the use case that answers it.

import { clearLine, createMessage, editMessage, removeMessage, showLine } from "~/use-cases/room/chat.server";
import { createPost, editPost, removePost } from "~/use-cases/sessions/posts.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const postApi = [
  serve(calls.createPost, createPost),
  serve(calls.editPost, editPost),
  serve(calls.deletePost, removePost),
  serve(calls.createMessage, createMessage),
  serve(calls.editMessage, editMessage),
  serve(calls.deleteMessage, removeMessage),
  serve(calls.showLine, showLine),
  serve(calls.clearLine, clearLine),
];
