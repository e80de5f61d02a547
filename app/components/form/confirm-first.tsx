// The notice in place of a form that requires a confirmed email address.
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { CONFIRM_FIRST } from "~/domain/confirmation";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useFreshWhenSeen } from "~/hooks/use-fresh-data";

export function ConfirmFirst({ email }: { email: string }) {
  const form = useActionForm({ intent: "send", action: "/account/confirm-email" });
  // The link is often opened in another tab or on another device.
  useFreshWhenSeen();
  return (
    <Notice
      tone="warning"
      title={CONFIRM_FIRST}
      action={
        <ActionForm form={form}>
          <Button type="submit" isLoading={form.isBusy}>
            Send again
          </Button>
        </ActionForm>
      }
    >
      <span className="wrap-anywhere">We sent a link to {email}.</span>
    </Notice>
  );
}
