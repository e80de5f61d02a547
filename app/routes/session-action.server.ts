// What the forms on a session's pages post; with JavaScript most of them are calls instead. The answer of a form leads
// back to the session, so that a reload repeats nothing.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { act, on } from "~/http/act.server";
import { completeSession, joinSession, leaveSession, setReady } from "~/use-cases/participation.server";
import { deleteSession, endSession, resetSession, startSession } from "~/use-cases/session-runs.server";
import { flag, id } from "~/wire/values";

const session = z.object({ event: id });
const Join = session.extend({ joinCode: z.string().trim().max(100).optional() });
const Ready = session.extend({ isReady: flag });

export const sessionAction = (args: ActionFunctionArgs) => {
  const path = `/sessions/${args.params.event}`;
  const back = () => path;
  return act(args, {
    join: on(Join, joinSession, { toast: "You have successfully joined this session.", then: back }),
    leave: on(session, leaveSession, { toast: "You have left the session.", then: back }),
    ready: on(Ready, setReady, {
      toast: ({ isReady }) =>
        isReady ? "You are ready for this activity!" : "You are not marked as ready any more.",
      then: back,
    }),
    start: on(session, startSession, { toast: "The session has started!", then: back }),
    end: on(session, endSession, { toast: "This session has ended.", then: back }),
    complete: on(session, completeSession, { toast: "Success!", then: back }),
    reset: on(session, resetSession, { toast: "Success!", then: back }),
    delete: on(session, deleteSession, { toast: "The session was deleted.", then: () => "/events" }),
  });
};
