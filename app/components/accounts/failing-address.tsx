// The notice on the account page that emails do not reach the address (N-35).
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Warning } from "~/components/ui/notice";
import { unreachableSentence } from "~/domain/confirmation";
import { useActionForm } from "~/hooks/form/use-action-form";

export function FailingAddress({ email }: { email: string }) {
  const form = useActionForm({ intent: "send", action: "/account/confirm-email" });
  return (
    <Warning
      action={
        <ActionForm form={form}>
          <Button type="submit" isLoading={form.isBusy}>
            Confirm it again
          </Button>
        </ActionForm>
      }
    >
      <p className="wrap-anywhere">{unreachableSentence(email)}</p>
    </Warning>
  );
}
