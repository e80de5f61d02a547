// The invitation of a private hut and the requests to enter, for its owner and moderators.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Section } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { QrCode } from "~/components/ui/qr-code";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { QrCode as QrPath } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";

export type HutInvitation = {
  /** Null if only a hash of the code is stored. */
  link: { url: string; qr: QrPath } | null;
  exists: boolean;
  by: string | null;
};

export function Invitation({ link, exists, by }: HutInvitation) {
  const form = useActionForm({ intent: "renew" });
  return (
    <Section title="Invitation" id="invitation">
      {link ? (
        <>
          <p className="max-w-[65ch] text-soft">
            With this link people with a confirmed email address come in.
            {by && ` ${by} made it.`}
          </p>
          <p className="flex flex-wrap items-center gap-3">
            <code className="wrap-anywhere rounded-md bg-sunken px-2 py-1">{link.url}</code>
            <CopyButton text={link.url} label="Copy link" variant="primary" />
          </p>
          <details className="group/qr">
            <summary className="inline-flex min-h-11 items-center gap-2 font-semibold">
              <Icon name="right" className="transition-transform group-open/qr:rotate-90" />
              QR code
            </summary>
            <QrCode qr={link.qr} label="QR code of the invitation" className="mt-3 h-auto w-60" />
          </details>
        </>
      ) : (
        <p className="max-w-[65ch] text-soft">
          {exists
            ? "The present link was not kept, so it cannot be shown. A new one makes it invalid."
            : "A link lets people with a confirmed email address come in."}
        </p>
      )}
      <ActionForm form={form} className="flex flex-col items-start gap-3">
        <FormErrors form={form} />
        <Button type="submit" variant={link ? "quiet" : "primary"} isLoading={form.isBusy}>
          {exists ? "Make a new link" : "Make a link"}
        </Button>
        {link && <p className="text-sm text-soft">A new link makes this one invalid.</p>}
      </ActionForm>
    </Section>
  );
}

type EntryRequest = { username: string; createdAt: number };

export function RequestList({ requests }: { requests: readonly EntryRequest[] }) {
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

function RequestRow({ username, createdAt }: EntryRequest) {
  const acceptForm = useActionForm({ intent: "accept", hiddenFields: { username } });
  const refuseForm = useActionForm({ intent: "refuse", hiddenFields: { username } });
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
        <ActionForm form={acceptForm}>
          <Button
            type="submit"
            variant="primary"
            isLoading={acceptForm.isBusy}
            aria-label={`Accept ${username}`}
          >
            Accept
          </Button>
        </ActionForm>
        <ActionForm form={refuseForm}>
          <Button
            type="submit"
            variant="quiet"
            isLoading={refuseForm.isBusy}
            aria-label={`Refuse ${username}`}
          >
            Refuse
          </Button>
        </ActionForm>
      </div>
    </li>
  );
}
