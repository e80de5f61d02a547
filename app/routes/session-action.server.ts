// The intents of the forms on a session's pages. With JavaScript most of them are calls instead.
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

export function sessionAction(args: ActionFunctionArgs) {
  const then = () => `/sessions/${args.params.session}`;
  return act(args, {
    join: on(Join, joinSession, { toast: "You have successfully joined this session.", then }),
    leave: on(Which, leaveSession, { toast: "You have left the session.", then }),
    ready: on(Ready, setReady, {
      toast: ({ isReady }) =>
        isReady ? "You are ready for this activity!" : "You are not marked as ready any more.",
      then,
    }),
    start: on(Which, startSession, { toast: "The session has started!", then }),
    end: on(Which, endSession, { toast: "This session has ended.", then }),
    complete: on(Which, completeSession, { toast: "Success!", then }),
    reset: on(Which, resetSession, { toast: "Success!", then }),
    "texts.save": on(Texts, saveContent, { toast: "Success!", then }),
    "texts.contribute": on(Contribution, contributeContent, { toast: "Success!", then }),
    delete: on(Which, deleteSession, { toast: "The session was deleted.", then: () => "/events" }),
  });
}
