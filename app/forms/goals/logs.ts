// The forms of progress logs.
import { z } from "zod";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { oneLine } from "~/domain/text-fields";
import { typedDistance, typedNumber, typedSpan } from "~/forms/fields";
import { measure } from "~/wire/goals/measures";
import { day, editedDay } from "~/wire/goals/record-fields";
import { markdown, oneLineText } from "~/wire/goals/texts";
import { id, ownId } from "~/wire/values";

/** Measures in the notation that people type. */
export const measures = {
  amount: typedNumber(measure),
  distance: typedDistance(measure),
  duration: typedSpan,
};
const texts = { title: oneLineText(200), content: markdown };

export const QuickLogInput = z
  .object({ goal: id, uuid: ownId, button: oneLine().max(64).optional() })
  .transform(({ goal, uuid, button }) => ({ goalId: goal, uuid, qlButtonUuid: button }));

export const BeginInput = z
  .object({ goal: id, uuid: ownId, timer: oneLine().max(64).optional() })
  .transform(({ goal, uuid, timer }) => ({ goalId: goal, uuid, timerUuid: timer }));

export const LogByHandInput = z
  .object({
    goal: id,
    uuid: ownId,
    ...texts,
    ...measures,
    day: z.preprocess((value) => (value === "" ? undefined : value), day),
    status: z.coerce
      .number()
      .pipe(z.literal([2, 3]))
      .optional()
      .catch(undefined),
  })
  .transform(({ goal, ...rest }) => ({ ...rest, goalId: goal, status: rest.status ?? LOG_STATUS.done }));

export const LogChoice = z.object({ log: id });
/** The time that an ended timer really took. */
export const LogSpan = LogChoice.extend({ duration: typedSpan });
/** The form always contains its texts, so an empty field clears the stored text. */
export const LogChange = LogChoice.extend({ ...texts, ...measures, day: editedDay }).transform(
  ({ title = "", content = "", ...rest }) => ({ ...rest, title, content }),
);
