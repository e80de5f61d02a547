// The mailbox of a local run (P-45). A deployed run has no such page.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { MailText } from "~/components/accounts/mail-text";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Card } from "~/components/ui/card";
import { Time } from "~/components/ui/time";
import { load } from "~/http/load.server";
import { viewMailbox } from "~/use-cases/mailbox.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewMailbox);
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Mailbox", description: "The mailbox of a local run." });

export default function Mailbox() {
  const { mails } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Mailbox"
      intro="Emails of this local run arrive here instead of at their addresses. Newest first."
    >
      {mails.length === 0 && (
        <p className="text-soft">No emails yet. Request a password reset, for example.</p>
      )}
      <ul className="flex flex-col gap-4">
        {mails.map((mail) => (
          <Card as="li" key={mail.id} className="flex flex-col gap-3">
            <div>
              <h2 className="text-lg">{mail.subject}</h2>
              <p className="text-sm text-soft">
                To {mail.recipient} · <Time at={mail.sentAt} show="both" />
              </p>
            </div>
            <MailText text={mail.text} />
            <details>
              <summary className="flex min-h-11 cursor-pointer items-center font-semibold">Preview</summary>
              <iframe
                title={`${mail.subject}, preview`}
                // Its links open in this tab, not inside the frame.
                srcDoc={mail.html.replace("<head>", '<head><base target="_top">')}
                sandbox="allow-popups allow-top-navigation-by-user-activation"
                className="h-120 w-full rounded-md border border-line bg-[white]"
              />
            </details>
          </Card>
        ))}
      </ul>
    </Page>
  );
}
