// A post in a forum (C-58) and a message in a chat (C-85).
import { z } from "zod";
import type { RoomMessage } from "~/domain/sessions/chat";
import type { ShownPost } from "~/domain/sessions/view";
import { manyLines, oneLine } from "~/domain/text-fields";
import { call, fields, IN_ROOM } from "../call";
import { eventParams, eventToSession, sessionByEvent } from "../sessions/ids";
import { messageOut, postOut } from "../sessions/sessions";
import { id, ownId } from "../values";

const title = oneLine("Please give a text.")
  .max(200, "Please keep the title under 200 characters.")
  .nullish()
  .transform((text) => (text === null ? "" : text));
const content = manyLines("Please write something.");

export const postCalls = {
  createPost: call("POST /challenges/{challenge}/posts", "Write a post in a forum", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["post"],
    input: fields({
      params: { challenge: oneLine().min(1).max(200) },
      within: "item",
      body: {
        title,
        content,
        parent_id: id.nullish(),
        uuid: ownId,
      },
    }).transform(({ challenge, title, content, parent_id, uuid }) => ({
      slug: challenge,
      title,
      content,
      parentId: parent_id ?? null,
      uuid,
    })),
    isRepeatable: true,
    answer: (post: ShownPost) => ({ post: postOut(post) }),
  }),
  editPost: call("PATCH /api/posts/{post}", "Edit a post", {
    scope: "write",
    limits: ["post"],
    input: fields({ params: { post: id }, within: "item", body: { title, content } }),
    answer: (post: ShownPost) => ({ post: postOut(post) }),
  }),
  deletePost: call("DELETE /api/posts/{post}", "Delete a post", {
    scope: "write",
    limits: ["post"],
    input: fields({ params: { post: id } }),
    status: 204,
    answer: () => null,
  }),
  editMessage: call("PATCH /api/sessions/{event}/messages/{seq}", "Edit a line of the chat", {
    scope: "write",
    limits: ["chat"],
    input: fields({
      params: { event: id, seq: id },
      body: { content: manyLines("Please write a message.") },
    }).transform(eventToSession),
    bodyLimit: 32 * 1024,
    answer: (result: { message: RoomMessage; session: number }) => ({
      message: messageOut(result.message, result.session),
    }),
  }),
  deleteMessage: call("DELETE /api/sessions/{event}/messages/{seq}", "Delete a line of the chat", {
    scope: "write",
    limits: ["chat"],
    input: fields({ params: { event: id, seq: id } }).transform(eventToSession),
    status: 204,
    answer: () => null,
  }),
  showLine: call("PUT /api/sessions/{event}/line", "Show a line on all screens", {
    scope: "host",
    limits: ["chat"],
    input: fields({ params: eventParams, body: { content: oneLine("Please write a message.") } }).transform(
      eventToSession,
    ),
    answer: ({ content }: { content: string }) => ({ line: { content } }),
  }),
  clearLine: call("DELETE /api/sessions/{event}/line", "Take the line from all screens", {
    scope: "host",
    limits: ["chat"],
    input: sessionByEvent,
    status: 204,
    answer: () => null,
  }),
  createMessage: call("POST /messages", "Write a line in the chat", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["chat"],
    input: fields({
      body: {
        content: manyLines("Please write a message."),
        messageable_type: z.literal("challenge_event", "Please send messageable_type challenge_event."),
        messageable_id: id,
        client_uuid: oneLine().max(100).nullish(),
        request_uuid: oneLine().max(100).nullish(),
        nonce: oneLine().max(100).nullish(),
      },
    }).transform(({ content, messageable_id, client_uuid, request_uuid, nonce }) => ({
      session: messageable_id,
      content,
      nonce: nonce ?? request_uuid ?? undefined,
      clientUuid: client_uuid ?? undefined,
    })),
    isRepeatable: true,
    keyFirst: IN_ROOM,
    bodyLimit: 32 * 1024,
    answer: (result: { message: RoomMessage; session: number; clientUuid: string | null }) => ({
      message: messageOut(result.message, result.session, result.clientUuid),
    }),
  }),
};
