// The intents of the forms on My pages. Every My page accepts all of them, so that each form submits to its page.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { loggedText, totalsFor } from "~/domain/goals/logged-text";
import { isolateRtl } from "~/domain/isolated";
import { GoalChange, GoalChoice, newGoalForm, SkipDayInput, TickInput } from "~/forms/goals/goals";
import { BeginInput, LogByHandInput, LogChange, LogChoice, LogSpan, QuickLogInput } from "~/forms/goals/logs";
import { NoteChange, NoteChoice, NoteInput, NoteTick } from "~/forms/goals/notes";
import { act, type Intents, on } from "~/http/act.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { createLogKey } from "~/use-cases/accounts/api-keys.server";
import { type App, readerOf } from "~/use-cases/app.server";
import { skipDay } from "~/use-cases/goals/days.server";
import {
  completeGoal,
  createGoal,
  deleteGoal,
  type OwnGoal,
  reopenGoal,
  updateGoal,
} from "~/use-cases/goals/goals.server";
import {
  completeLog,
  deleteLog,
  resetLog,
  startLog,
  stopLog,
  updateLog,
} from "~/use-cases/goals/log-moves.server";
import { type LogAnswer, startProgress, storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote, deleteNote, tickNote, updateNote } from "~/use-cases/goals/notes.server";
import { saveListProgress } from "~/use-cases/sessions/shared-goals.server";

const congratulate = ({ goal }: OwnGoal) => `Congratulations on completing ${isolateRtl(goal.title)}!`;

/** The figures of a log, and its Undo. */
const loggedOptions = {
  toast: ({ log, goal }: LogAnswer, app: App) => loggedText(log, goal, totalsFor(log, goal), readerOf(app)),
  undoes: ({ log }: LogAnswer) => log.id,
};

export const myIntents: Intents = {
  // The form and the page behind `created` show the success themselves, with a link to the goal.
  "goal.create": on(newGoalForm, createGoal, { redirectTo: ({ goal }) => `/my/goals?created=${goal.id}` }),
  "goal.update": on(GoalChange, updateGoal, { toast: "Success!" }),
  "goal.complete": on(GoalChoice, completeGoal, { toast: congratulate }),
  "goal.reopen": on(GoalChoice, reopenGoal, { toast: "Your goal is open again." }),
  "goal.delete": on(GoalChoice, deleteGoal, {
    toast: ({ title }) => `${isolateRtl(title)} was deleted.`,
    redirectTo: () => "/my/goals",
  }),
  "key.log": on(GoalChoice, createLogKey, {
    needsCheck: true,
    toast: "Your key is ready.",
    rendersResult: true,
  }),
  "list.tick": on(TickInput, saveListProgress),
  "day.skip": on(SkipDayInput, skipDay),
  "log.quick": on(QuickLogInput, storeQuickLog, loggedOptions),
  "log.begin": on(BeginInput, startProgress, { resumedToast: "Your log has started." }),
  "log.create": on(LogByHandInput, storeQuickLog, loggedOptions),
  "log.start": on(LogChoice, startLog),
  "log.pause": on(LogChoice, (app: App, { log }) => stopLog(app, { log, status: LOG_STATUS.paused })),
  "log.stop": on(LogChoice, (app: App, { log }) => stopLog(app, { log, status: LOG_STATUS.stopped })),
  "log.done": on(LogChoice, (app: App, { log }) => completeLog(app, { log }), loggedOptions),
  "log.reset": on(LogChoice, resetLog),
  "log.update": on(LogChange, updateLog),
  "log.span": on(LogSpan, updateLog, loggedOptions),
  "log.delete": on(LogChoice, deleteLog, { toast: "The log was deleted." }),
  "note.create": on(NoteInput, createNote, { toast: "Success!" }),
  "note.update": on(NoteChange, updateNote),
  "note.tick": on(NoteTick, tickNote),
  "note.delete": on(NoteChoice, deleteNote, { toast: "The note was deleted." }),
};

export const myAction = (args: ActionFunctionArgs) => act(args, myIntents, MAX_BYTES_WITH_TEXTS);
