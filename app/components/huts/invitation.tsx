// The invitation of a private hut and the requests to enter, for its owner and moderators.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Section } from "~/components/layout/page";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { useActionForm } from "~/hooks/use-action-form";

export function Invitation() {
  const form = useActionForm({ intent: "renew" });
  const made = form.result?.ok ? (form.result.result as { url: string }) : null;
  return (
    <Section title="Invitation">
      {made && (
        <Notice tone="success" title="This link is shown once. Please copy it now." isLive>
          <p className="flex flex-wrap items-center gap-3">
            <code className="min-w-0 break-all">{made.url}</code>
            <CopyButton text={made.url} label="Copy the link" />
          </p>
        </Notice>
      )}
      <ActionForm form={form} className="flex flex-col items-start gap-3">
        <p className="max-w-[65ch] text-soft">
          The link lets people with a confirmed email address enter. A new link makes the former one invalid.
        </p>
        <FormErrors form={form} />
        <Button type="submit" isLoading={form.isBusy}>
          Create a new link
        </Button>
      </ActionForm>
    </Section>
  );
}

type Request = { username: string; createdAt: number };

export function RequestList({ requests }: { requests: readonly Request[] }) {
  return (
    <Section title="Requests">
      {requests.length === 0 ? (
        <p className="text-soft">Nobody is asking to enter at the moment.</p>
      ) : (
        <ul aria-label="Requests" className="flex flex-col">
          {requests.map((request) => (
            <RequestRow key={request.username} {...request} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function RequestRow({ username, createdAt }: Request) {
  const accept = useActionForm({ intent: "accept", about: { username } });
  const refuse = useActionForm({ intent: "refuse", about: { username } });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={username} size={36} />
        <p className="min-w-0">
          <TextLink to={`/${username}`} className="font-semibold break-all">
            {username}
          </TextLink>{" "}
          <span className="text-sm text-soft">
            asked <Time at={createdAt} show="relative" />
          </span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ActionForm form={accept}>
          <Button type="submit" variant="primary" isLoading={accept.isBusy} aria-label={`Accept ${username}`}>
            Accept
          </Button>
        </ActionForm>
        <ActionForm form={refuse}>
          <Button type="submit" variant="quiet" isLoading={refuse.isBusy} aria-label={`Refuse ${username}`}>
            Refuse
          </Button>
        </ActionForm>
      </div>
    </li>
  );
}
