// The fold that deletes the account. It explains the consequences first and requires the password.
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { DangerFold } from "~/components/ui/danger-fold";
import { GRACE_DAYS } from "~/domain/accounts/deletion";
import { deletionRules } from "~/domain/accounts/rules";
import { useActionForm } from "~/hooks/form/use-action-form";

export function DeleteAccount({ email }: { email: string }) {
  const form = useActionForm({
    intent: "delete-account",
    rules: deletionRules,
    redirects: true,
  });
  return (
    <DangerFold title="Delete my account" isOpen={form.isFailed}>
      <ActionForm form={form} className="flex flex-col gap-4 border-t border-red px-4 py-4">
        {/* Password managers fill in the password of the account whose address they find in the form. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <ul className="flex list-disc flex-col gap-1 ps-5">
          <li>You are signed out everywhere at once, and your subscription will not renew.</li>
          <li>For {GRACE_DAYS} days nothing else happens: sign in within this time to keep your account.</li>
          <li>
            Then your goals, logs, notes, items, images and tokens are deleted for good. Things that others
            share with you stay, without your name: activities, sessions, huts, posts. The text of your chat
            messages is erased in every room.
          </li>
        </ul>
        <PasswordRow
          {...form.field("currentPassword")}
          label="Your password"
          autoComplete="current-password"
        />
        <SubmitRow form={form} variant="danger">
          Delete my account
        </SubmitRow>
      </ActionForm>
    </DangerFold>
  );
}
