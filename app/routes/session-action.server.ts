// What the forms on a session's pages post; with JavaScript most of them are calls instead. The answer of a form leads
// back to the session, so that a reload repeats nothing.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { act, on } from "~/http/act.server";
import { completeSession, joinSession, leaveSession, setReady } from "~/use-cases/sessions/people.server";
import { deleteSession, endSession, resetSession, startSession } from "~/use-cases/sessions/run.server";
import { contributeContent, saveContent } from "~/use-cases/sessions/texts.server";
import { textFields } from "~/wire/calls/session-texts";
import { flag, id } from "~/wire/values";

const Which = z.object({ session: id });
const Join = Which.extend({ joinCode: z.string().trim().max(100).optional() });
const Ready = Which.extend({ isReady: flag });
/** What the form shows it says, if only as nothing: a form's reader takes "" as nothing said. */
const Texts = Which.extend({
  ...textFields,
  hasContent: flag.default(false),
  hasPrompt: flag.default(false),
}).transform(({ session, hasContent, hasPrompt, title = "", content = "", prompt = "" }) => ({
  session,
  ...(hasContent ? { title, content } : {}),
  ...(hasPrompt ? { prompt } : {}),
}));
const Contribution = Which.extend({ contribution: z.string().default("") });

export async function sessionAction(args: ActionFunctionArgs) {
  const path = `/sessions/${args.params.session}`;
  const back = () => path;
  // With JavaScript a form of texts stays and closes itself.
  const stays = (await args.request.clone().formData()).get("stay") === "1";
  const told = { toast: "Success!", ...(stays ? {} : { then: back }) };
  return act(args, {
    join: on(Join, joinSession, { toast: "You have successfully joined this session.", then: back }),
    leave: on(Which, leaveSession, { toast: "You have left the session.", then: back }),
    ready: on(Ready, setReady, {
      toast: ({ isReady }) =>
        isReady ? "You are ready for this activity!" : "You are not marked as ready any more.",
      then: back,
    }),
    start: on(Which, startSession, { toast: "The session has started!", then: back }),
    end: on(Which, endSession, { toast: "This session has ended.", then: back }),
    complete: on(Which, completeSession, { toast: "Success!", then: back }),
    reset: on(Which, resetSession, { toast: "Success!", then: back }),
    "texts.save": on(Texts, saveContent, told),
    "texts.contribute": on(Contribution, contributeContent, told),
    delete: on(Which, deleteSession, { toast: "The session was deleted.", then: () => "/events" }),
  });
}
