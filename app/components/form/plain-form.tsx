// A button that calls the server, and is a plain form before JavaScript has loaded. A refusal of that form opens the same
// modals as one of the call.
import { useActionData } from "@remix-run/react";
import type { ReactNode } from "react";
import { toast } from "~/components/ui/toasts";
import { isAnswerTo, takeRefusal, useAnswer } from "~/hooks/answers";
import type { ActResult } from "~/wire/act";

type Props = {
  /** The fields that the action takes, `intent` included. */
  fields: { intent: string } & Record<string, string | number>;
  /** `isRetry`: pressed again by the purchase modal. */
  onPress: (isRetry: boolean) => void;
  /** The route whose action takes the form; the page's own unless given. */
  action?: string;
  /** The page's answer, where a frame around the button takes the posts. */
  answered?: ActResult | undefined;
  children: ReactNode;
  className?: string;
};

export function PlainForm({ fields, onPress, action, answered, children, className }: Props) {
  const ours = useActionData<ActResult>();
  const answer = answered ?? ours;
  const { intent, ...about } = fields;
  useAnswer(answer && isAnswerTo(answer, intent, about) ? answer : undefined, (answer) => {
    if (answer.ok || takeRefusal(answer, { again: onPress, isRetry: false })) return;
    toast.errors(answer.sentences);
  });
  return (
    <form
      method="post"
      action={action}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onPress(false);
      }}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
