// The banner on every page of an account whose email address is not confirmed.
import { Link } from "@remix-run/react";
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { useActionForm } from "~/hooks/use-action-form";

export function ConfirmEmail({ email }: { email: string }) {
  const form = useActionForm({ intent: "send", action: "/account/confirm-email" });
  return (
    <section
      aria-label="Email address"
      className="email-banner border-b border-line bg-dusk-wash text-sm print:hidden"
    >
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-4 px-4 py-1 sm:px-6">
        <p className="min-w-0 flex-1 basis-64 py-2 wrap-anywhere">
          Please confirm your email address. We sent a link to {email}.
        </p>
        <div className="-mx-2 flex flex-wrap items-center">
          <ActionForm form={form}>
            <Button type="submit" variant="ghost" className="px-2! text-sm" isLoading={form.isBusy}>
              Send again
            </Button>
          </ActionForm>
          <Button asChild variant="ghost" className="px-2! text-sm">
            <Link to="/account#profile">Change address</Link>
          </Button>
        </div>
      </div>
    </section>
  );
}
