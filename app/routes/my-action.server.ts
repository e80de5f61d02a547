// The intents of the My pages' forms. Every My page takes all of them, so that each form posts to the page it is on.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { LOG_STATUS } from "~/domain/logs";
import { act, type Intents, on } from "~/http/act.server";
import type { App } from "~/use-cases/app.server";
import {
  completeGoal,
  createGoal,
  deleteGoal,
  type OwnGoal,
  reopenGoal,
  updateGoal,
} from "~/use-cases/goals.server";
import { skipDay } from "~/use-cases/goals-days.server";
import { saveListProgress } from "~/use-cases/goals-shared.server";
import { completeLog, deleteLog, resetLog, startLog, stopLog, updateLog } from "~/use-cases/log-moves.server";
import { startProgress, storeQuickLog } from "~/use-cases/logs.server";
import { createNote, deleteNote, updateNote } from "~/use-cases/notes.server";
import { goalForm, typedNumber, typedSpan } from "~/wire/goal-form";
import { day, localId, markdown, measure, ownId, words } from "~/wire/measures";
import { id } from "~/wire/values";

const goal = z.object({ goal: id });
const log = z.object({ log: id });
const note = z.object({ note: id });
const pick = z
  .union([z.array(localId), localId.transform((uuid) => [uuid])])
  .optional()
  .transform((uuids) => uuids ?? []);

/** What was done, as people type it. */
export const measures = {
  amount: typedNumber(measure),
  distance: typedNumber(measure),
  duration: typedSpan,
};
const said = { title: words(200), content: markdown };
const noteFields = { ...said, todo: words(20_000), done: words(20_000) };
const empty = (text: string | undefined) => text ?? "";
const optionalId = z.preprocess((value) => (value === "" ? undefined : value), id.optional());

const byHand = z
  .object({
    goal: id,
    uuid: ownId,
    ...said,
    ...measures,
    day: z.preprocess((value) => (value === "" ? undefined : value), day),
    status: z.coerce
      .number()
      .pipe(z.literal([2, 3]))
      .optional()
      .catch(undefined),
  })
  .transform(({ goal, ...rest }) => ({ ...rest, goalId: goal, status: rest.status ?? LOG_STATUS.done }));

const congratulate = ({ goal }: OwnGoal) => `Congratulations on completing ${goal.title}!`;

export const myIntents: Intents = {
  "goal.create": on(goalForm, createGoal, {
    toast: "Goal created successfully!",
    then: ({ goal }) => `/my/goals?created=${goal.id}`,
  }),
  "goal.update": on(z.intersection(goal, goalForm), updateGoal, { toast: "Success!" }),
  "goal.complete": on(goal, completeGoal, { toast: congratulate }),
  "goal.reopen": on(goal, reopenGoal, { toast: "Your goal is open again." }),
  "goal.delete": on(goal, deleteGoal, {
    toast: ({ title }) => `${title} was deleted.`,
    then: () => "/my/goals",
  }),
  "list.tick": on(
    z.object({ goal: id, ticked: pick }).transform(({ goal, ticked }) => ({ goalId: goal, items: ticked })),
    saveListProgress,
  ),
  "day.skip": on(
    z.object({ goal: id, day: z.string(), isSkipped: z.preprocess((value) => value === "1", z.boolean()) }),
    skipDay,
  ),
  "log.quick": on(
    z
      .object({ goal: id, uuid: ownId, button: z.string().max(64).optional() })
      .transform(({ goal, uuid, button }) => ({ goalId: goal, uuid, qlButtonUuid: button })),
    storeQuickLog,
    { toast: "Success!" },
  ),
  "log.begin": on(
    z
      .object({ goal: id, uuid: ownId, timer: z.string().max(64).optional() })
      .transform(({ goal, uuid, timer }) => ({ goalId: goal, uuid, timerUuid: timer })),
    startProgress,
  ),
  "log.create": on(byHand, storeQuickLog, { toast: "Success!" }),
  "log.start": on(log, startLog),
  "log.pause": on(log, (app: App, input: { log: number }) => stopLog(app, { ...input, status: 3 })),
  "log.stop": on(log, (app: App, input: { log: number }) => stopLog(app, { ...input, status: 4 })),
  "log.done": on(log, (app: App, input: { log: number }) => completeLog(app, input)),
  "log.reset": on(log, resetLog),
  "log.update": on(log.extend({ ...said, ...measures }), (app, { title, content, ...rest }) =>
    updateLog(app, { ...rest, title: empty(title), content: empty(content) }),
  ),
  "log.delete": on(log, deleteLog, { toast: "The log was deleted." }),
  "note.create": on(
    z
      .object({ goal: optionalId, uuid: ownId, ...noteFields })
      .transform(({ goal, ...rest }) => ({ ...rest, goalId: goal })),
    createNote,
    { toast: "Success!" },
  ),
  "note.update": on(note.extend(noteFields), (app, { note, ...typed }) =>
    updateNote(app, {
      note,
      title: empty(typed.title),
      content: empty(typed.content),
      todo: empty(typed.todo),
      done: empty(typed.done),
    }),
  ),
  "note.delete": on(note, deleteNote, { toast: "The note was deleted." }),
};

export const myAction = (args: ActionFunctionArgs) => act(args, myIntents);
