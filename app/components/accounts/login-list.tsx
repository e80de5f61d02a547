// The user's logins, with buttons that end them.
import { ActionForm } from "~/components/form/action-form";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Time } from "~/components/ui/time";
import type { ListedLogin } from "~/domain/accounts/accounts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { deviceText } from "./device-text";

export function LoginList({ logins }: { logins: readonly ListedLogin[] }) {
  const endOthersForm = useActionForm({ intent: "end-other-logins" });
  return (
    <>
      <ul aria-label="Logins" className="flex flex-col">
        {logins.map((login) => (
          <LoginRow key={login.id} login={login} />
        ))}
      </ul>
      {logins.length > 1 && (
        <ActionForm form={endOthersForm}>
          <Button type="submit" isLoading={endOthersForm.isBusy}>
            Sign out everywhere else
          </Button>
        </ActionForm>
      )}
    </>
  );
}

function LoginRow({ login }: { login: ListedLogin }) {
  const form = useActionForm({ intent: "end-login", hiddenFields: { login: login.id } });
  const device = deviceText(login.userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {device}
          {login.isThisOne && <Badge tone="pine">This browser</Badge>}
        </p>
        <p className="text-sm text-soft">
          {login.place && `${login.place} · `}Signed in <Time at={login.createdAt} look="date" /> · seen{" "}
          <Time at={login.lastSeenAt} show="relative" />
        </p>
      </div>
      {!login.isThisOne && (
        <ActionForm form={form}>
          <Button type="submit" isLoading={form.isBusy} aria-label={`Sign out ${device}`}>
            Sign out
          </Button>
        </ActionForm>
      )}
    </li>
  );
}
