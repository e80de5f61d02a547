// What the forms on a session's Goals page post: its goals, by who runs it (`task.…`), and progress, as on the My pages.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { act, on } from "~/http/act.server";
import { copyGoal } from "~/use-cases/goals-shared.server";
import { logInSession } from "~/use-cases/sessions/logs.server";
import { addPart, deletePart, updatePart } from "~/use-cases/sessions/parts.server";
import { goalForm } from "~/wire/goal-form";
import { ownId, words } from "~/wire/measures";
import { id } from "~/wire/values";
import { measures, myAction } from "./my-action.server";

const Which = z.object({ session: id, part: z.string().min(1).max(64) });
const WithGoal = z.intersection(Which, goalForm);
const ByHand = Which.extend({ uuid: ownId, title: words(200), ...measures });
const NewGoal = z.intersection(Which.pick({ session: true }), goalForm);

export async function sessionGoalsAction(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  if (!String(form.get("intent") ?? "").startsWith("task.")) return myAction(args);
  const stays = form.get("stay") === "1";
  const answer = (toast: string) =>
    stays ? { toast } : { toast, then: () => `/sessions/${args.params.session}/goals` };
  return act(args, {
    "task.create": on(
      NewGoal,
      (app, { session, uuid = crypto.randomUUID(), ...goal }) =>
        addPart(app, { session, uuid, type: "task", part: {}, goal: { ...goal, uuid } }),
      answer("Goal created successfully!"),
    ),
    "task.update": on(
      WithGoal,
      (app, { session, part, ...goal }) =>
        updatePart(app, { session, part, type: "task", change: {}, group: {}, goal }),
      answer("Success!"),
    ),
    "task.delete": on(
      Which,
      (app, { session, part }) => deletePart(app, { session, part, type: "task" }),
      answer("The goal was removed."),
    ),
    "task.copy": on(
      Which,
      (app, { session, part }) => copyGoal(app, { sessionId: session, goalUuid: part }),
      answer("Goal copied successfully!"),
    ),
    "task.log": on(
      ByHand,
      (app, { part, ...log }) => logInSession(app, { ...log, sessionGoalUuid: part }),
      answer("Success!"),
    ),
  });
}
