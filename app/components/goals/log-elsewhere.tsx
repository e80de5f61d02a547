// Logging by other programs: a key of this goal, and ready requests for it (W-04).
import { useState } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { CopyButton } from "~/components/ui/copy-button";
import { type Goal, quickLogsOf } from "~/domain/goals/goals";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { toast } from "~/hooks/toasts";
import { useShell } from "~/hooks/use-shell";
import { storeQuickLog } from "~/wire/paths";
import { Fold } from "./fold";

const CREATE_KEY_INTENT = "key.log";
const keyIn = (result: unknown): string | null =>
  (result as { key?: string } | null | undefined)?.key ?? null;

export function LogElsewhere({ goal }: { goal: Goal }) {
  const { origin } = useShell();
  const posted = usePosted();
  const [newKey, setNewKey] = useState<string | null>(null);
  const form = useActionForm({
    intent: CREATE_KEY_INTENT,
    hiddenFields: { goal: goal.id },
    onSuccess: (result, sentence) => {
      setNewKey(keyIn(result));
      if (sentence) toast.success(sentence);
    },
  });
  const key = newKey ?? (posted?.ok && posted.intent === CREATE_KEY_INTENT ? keyIn(posted.result) : null);
  const [, path] = storeQuickLog;
  const [button] = quickLogsOf(goal);
  const body = JSON.stringify({
    goal_id: goal.id,
    ...(button?.uuid ? { ql_button_uuid: button.uuid } : { amount: 1 }),
  });
  const token = `Bearer ${key ?? "YOUR_KEY"}`;
  const curl = `curl -X POST "${origin}${path}" -H "Authorization: ${token}" -H "Content-Type: application/json" -d '${body}'`;
  return (
    <Fold title="Log from elsewhere" isOpen={key !== null || form.isFailed}>
      <div className="flex flex-col gap-4">
        <p>
          A key of this goal stores, takes back and reads its logs, and does nothing else. It ends with the
          goal, after a year, or when you revoke it at{" "}
          <a href="/account/api" className="underline underline-offset-4">
            Keys
          </a>
          .
        </p>
        {key ? (
          <p>You will not see this key again. Copy the request now.</p>
        ) : (
          <ActionForm form={form}>
            <SubmitRow form={form}>Create a key for this goal</SubmitRow>
          </ActionForm>
        )}
        <div className="flex flex-col items-start gap-2">
          <h3 className="font-semibold">curl</h3>
          <pre className="max-w-full whitespace-pre-wrap wrap-anywhere rounded-md bg-sunken p-3 text-sm">
            <code>{curl}</code>
          </pre>
          <CopyButton text={curl} label="Copy the request" />
        </div>
        <Steps
          title="Apple Shortcuts"
          steps={[
            `Add the action “Get Contents of URL” with ${origin}${path}`,
            `Method POST, with the headers Authorization: ${token} and Content-Type: application/json.`,
            `Request Body: File, from a Text action with ${body}`,
          ]}
        />
        <Steps
          title="Tasker"
          steps={[
            `Add the action HTTP Request: Method POST, URL ${origin}${path}`,
            `Headers: Authorization:${token} and Content-Type:application/json, each in its own line.`,
            `Body: ${body}`,
          ]}
        />
      </div>
    </Fold>
  );
}

const Steps = ({ title, steps }: { title: string; steps: readonly string[] }) => (
  <div>
    <h3 className="font-semibold">{title}</h3>
    <ol className="list-decimal ps-5 text-sm wrap-anywhere">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </div>
);
