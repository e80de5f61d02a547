// What the forms of the My pages post. Every My page takes every one of these, so that each form posts to the page it
// stands on. Without JavaScript the answer leads back to that page (a reload then repeats nothing); with it, the form
// says `stay` and shows what came of it.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { LOG_STATUS } from "~/domain/logs";
import { act, on } from "~/http/act.server";
import type { App, UseCase } from "~/use-cases/app.server";
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

type Handled = ReturnType<typeof on>;
type Answer<R> = {
  toast?: string | ((result: R) => string);
  /** Instead of the page it came from; `null` stays there. */
  leads?: (result: R) => string;
  /** Set in the query of the page it leads back to. */
  says?: (result: R) => Record<string, string>;
};

/** As `on`, and back to the page without JavaScript. What the query had opened is closed again. */
const mine = <S extends z.ZodType, R>(
  schema: S,
  useCase: UseCase<z.output<S>, R>,
  answer: Answer<R> = {},
): Handled => ({
  run(args, form, intent) {
    const stays = form.get("stay") === "1" && !answer.leads;
    form.delete("stay");
    const url = new URL(args.request.url);
    for (const opened of ["edit", "create", "created", "_data"]) url.searchParams.delete(opened);
    const back = (result: R) => {
      if (answer.leads) return answer.leads(result);
      for (const [name, value] of Object.entries(answer.says?.(result) ?? {}))
        url.searchParams.set(name, value);
      return `${url.pathname}${url.search}`;
    };
    const toast = answer.toast === undefined ? {} : { toast: answer.toast };
    return on(schema, useCase, stays ? toast : { ...toast, then: back }).run(args, form, intent);
  },
});

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

const intents: Record<string, Handled> = {
  "goal.create": mine(goalForm, createGoal, {
    toast: "Goal created successfully!",
    says: ({ goal }) => ({ created: String(goal.id) }),
  }),
  "goal.update": mine(z.intersection(goal, goalForm), updateGoal, { toast: "Success!" }),
  "goal.complete": mine(goal, completeGoal, { toast: congratulate }),
  "goal.reopen": mine(goal, reopenGoal, { toast: "Your goal is open again." }),
  "goal.delete": mine(goal, deleteGoal, {
    toast: ({ title }) => `${title} was deleted.`,
    leads: () => "/my/goals",
  }),
  "list.tick": mine(
    z.object({ goal: id, ticked: pick }).transform(({ goal, ticked }) => ({ goalId: goal, items: ticked })),
    saveListProgress,
  ),
  "day.skip": mine(
    z.object({ goal: id, day: z.string(), isSkipped: z.preprocess((value) => value === "1", z.boolean()) }),
    skipDay,
  ),
  "log.quick": mine(
    z
      .object({ goal: id, uuid: ownId, button: z.string().max(64).optional() })
      .transform(({ goal, uuid, button }) => ({ goalId: goal, uuid, qlButtonUuid: button })),
    storeQuickLog,
    { toast: "Success!" },
  ),
  "log.begin": mine(
    z
      .object({ goal: id, uuid: ownId, timer: z.string().max(64).optional() })
      .transform(({ goal, uuid, timer }) => ({ goalId: goal, uuid, timerUuid: timer })),
    startProgress,
  ),
  "log.create": mine(byHand, storeQuickLog, { toast: "Success!" }),
  "log.start": mine(log, startLog),
  "log.pause": mine(log, (app: App, input: { log: number }) => stopLog(app, { ...input, status: 3 })),
  "log.stop": mine(log, (app: App, input: { log: number }) => stopLog(app, { ...input, status: 4 })),
  "log.done": mine(log, (app: App, input: { log: number }) => completeLog(app, input)),
  "log.reset": mine(log, resetLog),
  "log.update": mine(log.extend({ ...said, ...measures }), (app, { title, content, ...rest }) =>
    updateLog(app, { ...rest, title: empty(title), content: empty(content) }),
  ),
  "log.delete": mine(log, deleteLog, { toast: "The log was deleted." }),
  "note.create": mine(
    z
      .object({ goal: optionalId, uuid: ownId, ...noteFields })
      .transform(({ goal, ...rest }) => ({ ...rest, goalId: goal })),
    createNote,
    { toast: "Success!" },
  ),
  "note.update": mine(note.extend(noteFields), (app, { note, ...typed }) =>
    updateNote(app, {
      note,
      title: empty(typed.title),
      content: empty(typed.content),
      todo: empty(typed.todo),
      done: empty(typed.done),
    }),
  ),
  "note.delete": mine(note, deleteNote, { toast: "The note was deleted." }),
};

export const myAction = (args: ActionFunctionArgs) => act(args, intents);
