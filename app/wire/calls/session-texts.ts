// The shared text of a session, and its summary (C-65 to C-69).
import { AIM_LENGTH, AIM_SENTENCES } from "~/domain/sessions/aims";
import { manyLines, oneLine } from "~/domain/text-fields";
import { call, fields, IN_ROOM } from "../call";
import {
  bit,
  challengeToSlug,
  eventParams,
  eventToSession,
  sessionBySlug,
  slugParams,
} from "../sessions/ids";
import { id, ownId } from "../values";

type Texts = { title: string; content: string; contentHtml: string; summary: string; prompt: string };
const textsOut = (texts: Texts) => ({
  title: texts.title,
  content: texts.content,
  content_html: texts.contentHtml,
  summary: texts.summary,
  prompt: texts.prompt,
});
const longText = manyLines("Please give a text.").max(200_000, "That is too long.");
/** The texts of a session; forms have the same fields. */
export const textFields = {
  title: oneLine("Please give a text.").max(200, "Please keep the title under 200 characters.").optional(),
  content: longText.optional(),
  prompt: longText.max(20_000, "That is too long.").optional(),
};
/** The answer to "What will you do?". */
export const aimText = oneLine("Please write a line, or send an empty one to take it back.").max(
  AIM_LENGTH,
  AIM_SENTENCES.long,
);
const asSummary = ({ summary }: { summary: string }) => ({ data: summary, summary });

export const sessionTextCalls = {
  makeSummary: call("GET /challenges/{challenge}/prompt", "Summarise the text of a part", {
    scope: "host",
    limits: ["summary"],
    writes: true,
    input: sessionBySlug,
    answer: asSummary,
  }),
  pollSummary: call("GET /challenges/{challenge}/poll", "Read the state of a summary", {
    scope: "host",
    input: sessionBySlug,
    answer: asSummary,
  }),
  streamSummary: call("GET /challenges/{challenge}/stream", "Read the events of a summary", {
    scope: "host",
    input: sessionBySlug,
    answer: asSummary,
  }),
  saveContent: call("PUT /challenges/{challenge}/save-content", "Save the host's text of a part", {
    scope: "host",
    limits: ["change-session-text"],
    input: fields({
      params: slugParams,
      body: {
        ...textFields,
        client_uuid: oneLine().max(100).nullish(),
      },
    }).transform(({ client_uuid: _, ...input }) => challengeToSlug(input)),
    answer: textsOut,
  }),
  contributeContent: call(
    "PUT /challenges/{challenge}/contribute-content",
    "Contribute a text on your turn",
    {
      scope: "write",
      limits: ["contribute"],
      input: fields({
        params: slugParams,
        body: { contribution: longText, uuid: ownId, pass: bit },
      }).transform(({ pass, ...input }) => ({ ...challengeToSlug(input), isPassing: pass })),
      isRepeatable: true,
      keyFirst: IN_ROOM,
      status: 200,
      answer: (result: { appended: string; appendedHtml: string; texts: Texts }) => ({
        content: result.appended,
        content_html: result.appendedHtml,
        challenge_event: textsOut(result.texts),
      }),
    },
  ),
  writeAim: call("POST /challenge-events/{event}/aim", "Write what you will do in a session", {
    scope: "write",
    limits: ["change-session-text"],
    input: fields({
      params: eventParams,
      body: {
        aim: aimText,
        goal_id: id.nullish(),
      },
    }).transform(({ event, aim, goal_id }) => ({ session: event, aim, goalId: goal_id })),
    status: 200,
    answer: ({ aim, goalId }: { aim: string; goalId: number | null }) => ({ aim, goal_id: goalId }),
  }),
  removeAim: call(
    "DELETE /challenge-events/{event}/participants/{username}/aim",
    "Remove what a participant will do",
    {
      scope: "write",
      limits: ["change-session-text"],
      input: fields({ params: { ...eventParams, username: oneLine().max(60) } }).transform(eventToSession),
      status: 204,
      answer: () => null,
    },
  ),
};
