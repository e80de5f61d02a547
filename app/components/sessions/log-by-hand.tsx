// Progress in a session, typed by hand: amount, duration, distance, a word about it.
import { useState } from "react";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { parseDuration } from "~/domain/duration-text";
import type { Goal } from "~/domain/goals";
import { onlyNumber } from "~/domain/measure-text";
import type { CallError } from "~/hooks/call-server";
import { useCall } from "~/hooks/use-call";
import { paths } from "~/wire/paths";

type Errors = Record<string, string[] | undefined>;
const EMPTY = { amount: "", duration: "", distance: "", title: "" };

export function LogByHand({
  goal,
  sessionId,
  onDone,
}: {
  goal: Pick<Goal, "uuid" | "unit" | "action" | "title">;
  sessionId: number;
  onDone: () => void;
}) {
  const [typed, setTyped] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const log = useCall(paths.logInSession, {
    success: "Success!",
    onDone: () => {
      setTyped(EMPTY);
      onDone();
    },
    onError: (error: CallError) => {
      setErrors(error.body.fields);
      return Object.keys(error.body.fields).length > 0;
    },
  });
  const set = (name: keyof typeof EMPTY, value: string) => {
    setTyped((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
  };
  return (
    <form
      className="flex flex-col gap-4"
      aria-label={`Log by hand for ${goal.title}`}
      onSubmit={(event) => {
        event.preventDefault();
        const span = parseDuration(typed.duration);
        if (span.error !== undefined) {
          setErrors({ duration: [span.error] });
          return;
        }
        void log.run({
          params: { event: sessionId },
          body: {
            task_uuid: goal.uuid,
            type: "task",
            action: goal.action,
            title: typed.title,
            ...(typed.amount ? { amount: typed.amount } : {}),
            ...(span.seconds ? { duration: span.seconds } : {}),
            ...(typed.distance ? { distance: typed.distance } : {}),
          },
        });
      }}
    >
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={goal.unit ? `Amount (${goal.unit})` : "Amount"} error={errors.amount}>
          <TextInput
            inputMode="decimal"
            placeholder="1"
            value={typed.amount}
            onChange={(event) => set("amount", onlyNumber(event.target.value))}
          />
        </Field>
        <Field label="Duration" error={errors.duration}>
          <TextInput
            placeholder="30m"
            autoCapitalize="none"
            value={typed.duration}
            onChange={(event) => set("duration", event.target.value)}
          />
        </Field>
        <Field label="Distance (miles)" error={errors.distance}>
          <TextInput
            inputMode="decimal"
            value={typed.distance}
            onChange={(event) => set("distance", onlyNumber(event.target.value))}
          />
        </Field>
      </div>
      <Field label="What was it?" error={errors.title}>
        <TextInput
          value={typed.title}
          maxLength={200}
          onChange={(event) => set("title", event.target.value)}
        />
      </Field>
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={log.isBusy}>
          Log it
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
