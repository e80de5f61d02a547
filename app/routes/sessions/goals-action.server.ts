// The intents of the forms on a session's Goals page: its goals (`task.…`), and progress as on the My pages.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { GOAL_CREATED } from "~/domain/goals/goals";
import { loggedText } from "~/domain/goals/logged-text";
import {
  AttachGoalInput,
  CopyGoalInput,
  SessionGoalChange,
  SessionGoalChoice,
  SessionGoalInput,
  SessionLogInput,
} from "~/forms/sessions/sessions";
import { act, type Intents, on } from "~/http/act.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { myIntents } from "~/routes/my-action.server";
import { readerOf } from "~/use-cases/app.server";
import { logInSession } from "~/use-cases/sessions/logs.server";
import { addPart, deletePart, updatePart } from "~/use-cases/sessions/parts.server";
import { attachGoal, copyGoal } from "~/use-cases/sessions/shared-goals.server";

const intents: Intents = {
  ...myIntents,
  "task.create": on(
    SessionGoalInput,
    (app, { session, uuid = crypto.randomUUID(), ...goal }) =>
      addPart(app, { session, uuid, type: "task", part: {}, goal: { ...goal, uuid } }),
    { toast: GOAL_CREATED },
  ),
  "task.update": on(
    SessionGoalChange,
    (app, { session, part, since, ...goal }) =>
      updatePart(app, { session, part, type: "task", change: {}, group: {}, goal, since }),
    { toast: "Success!" },
  ),
  "task.delete": on(
    SessionGoalChoice,
    (app, { session, part }) => deletePart(app, { session, part, type: "task" }),
    {
      toast: "The goal was removed.",
    },
  ),
  "task.copy": on(
    CopyGoalInput,
    (app, { session, part, uuid }) => copyGoal(app, { sessionId: session, goalUuid: part, uuid }),
    {
      toast: "Goal copied successfully!",
    },
  ),
  "goal.attach": on(AttachGoalInput, attachGoal, { toast: "Success!" }),
  "task.log": on(
    SessionLogInput,
    (app, { part, ...log }) => logInSession(app, { ...log, sessionGoalUuid: part }),
    {
      toast: ({ log, goal }, app) => loggedText(log, goal, null, readerOf(app)),
      undoes: ({ log }) => log.id,
    },
  ),
};

export const sessionGoalsAction = (args: ActionFunctionArgs) => act(args, intents, MAX_BYTES_WITH_TEXTS);
