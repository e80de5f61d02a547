// The banner on every page of an account whose email address is not confirmed.
import { Link } from "@remix-run/react";
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { useActionForm } from "~/hooks/form/use-action-form";

export function ConfirmEmailBanner({ email }: { email: string }) {
  const form = useActionForm({ intent: "send", action: "/account/confirm-email" });
  return (
    <section aria-label="Email address" className="email-banner">
      <div>
        <p>
          <span>Please confirm your email address. We sent a link </span>
          <span title={email}>to {email}.</span>
        </p>
        <div>
          <ActionForm form={form}>
            <Button type="submit" variant="ghost" isLoading={form.isBusy}>
              Send again
            </Button>
          </ActionForm>
          <Button asChild variant="ghost">
            <Link to="/account#profile">Change address</Link>
          </Button>
        </div>
      </div>
    </section>
  );
}
