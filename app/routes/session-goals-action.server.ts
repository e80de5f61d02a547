// The intents of the forms on a session's Goals page: its goals (`task.…`), and progress as on the My pages.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { act, type Intents, on } from "~/http/act.server";
import { copyGoal } from "~/use-cases/goals-shared.server";
import { logInSession } from "~/use-cases/sessions/logs.server";
import { addPart, deletePart, updatePart } from "~/use-cases/sessions/parts.server";
import { goalForm } from "~/wire/goal-form";
import { ownId, words } from "~/wire/measures";
import { id } from "~/wire/values";
import { measures, myIntents } from "./my-action.server";

const Which = z.object({ session: id, part: z.string().min(1).max(64) });
const WithGoal = z.intersection(Which, goalForm);
const ByHand = Which.extend({ uuid: ownId, title: words(200), ...measures });
const NewGoal = z.intersection(Which.pick({ session: true }), goalForm);

const intents: Intents = {
  ...myIntents,
  "task.create": on(
    NewGoal,
    (app, { session, uuid = crypto.randomUUID(), ...goal }) =>
      addPart(app, { session, uuid, type: "task", part: {}, goal: { ...goal, uuid } }),
    { toast: "Goal created successfully!" },
  ),
  "task.update": on(
    WithGoal,
    (app, { session, part, ...goal }) =>
      updatePart(app, { session, part, type: "task", change: {}, group: {}, goal }),
    { toast: "Success!" },
  ),
  "task.delete": on(Which, (app, { session, part }) => deletePart(app, { session, part, type: "task" }), {
    toast: "The goal was removed.",
  }),
  "task.copy": on(Which, (app, { session, part }) => copyGoal(app, { sessionId: session, goalUuid: part }), {
    toast: "Goal copied successfully!",
  }),
  "task.log": on(ByHand, (app, { part, ...log }) => logInSession(app, { ...log, sessionGoalUuid: part }), {
    toast: "Success!",
  }),
};

export const sessionGoalsAction = (args: ActionFunctionArgs) => act(args, intents);
