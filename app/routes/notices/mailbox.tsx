// The mailbox of a local run (P-45). A deployed run has no such page.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { MailText } from "~/components/notices/mail-text";
import { Card } from "~/components/ui/card";
import { Time } from "~/components/ui/time";
import { load } from "~/http/load.server";
import { viewMailbox } from "~/use-cases/notices/mailbox.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewMailbox);
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Mailbox", description: "The mailbox of a local run." });

const Fold = ({ title, children }: { title: string; children: ReactNode }) => (
  <details>
    <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{title}</summary>
    {children}
  </details>
);

export default function Mailbox() {
  const { mails, pushes } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Mailbox"
      intro="Emails of this local run arrive here instead of at their addresses. Newest first."
    >
      {mails.length === 0 && (
        <p className="text-soft">No emails yet. Request a password reset, for example.</p>
      )}
      {pushes.length > 0 && (
        <Fold title={`Pushes to browsers (${pushes.length})`}>
          <ul className="flex flex-col gap-3">
            {pushes.map((push) => (
              <li key={push.id}>
                <p className="font-semibold">{push.title}</p>
                <p>{push.body}</p>
                <p className="text-sm text-soft">
                  <a href={push.url}>{push.url}</a> · <Time at={push.sentAt} show="both" />
                </p>
              </li>
            ))}
          </ul>
        </Fold>
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
            <Fold title="Preview">
              <iframe
                title={`${mail.subject}, preview`}
                // Links of the mail open in this tab, not inside the frame.
                srcDoc={mail.html.replace("<head>", '<head><base target="_top">')}
                sandbox="allow-popups allow-top-navigation-by-user-activation"
                className="h-120 w-full rounded-md border border-line bg-[white]"
              />
            </Fold>
            {(Object.keys(mail.headers).length > 0 || mail.attachments.length > 0) && (
              <Fold title="Headers and files">
                <pre className="overflow-x-auto text-sm">
                  {[
                    ...Object.entries(mail.headers).map(([name, value]) => `${name}: ${value}`),
                    ...mail.attachments.map(
                      ({ filename, type, content }) => `\n${filename} (${type})\n${content}`,
                    ),
                  ].join("\n")}
                </pre>
              </Fold>
            )}
          </Card>
        ))}
      </ul>
    </Page>
  );
}
