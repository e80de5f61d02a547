// /account/calendar: the secret address of the user's own sessions for a calendar program (F-01, F-02).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { AccountPage, AccountSection } from "~/components/layout/account-page";
import { pageMeta } from "~/components/layout/page-meta";
import { CopyButton } from "~/components/ui/copy-button";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { NoFields } from "~/forms/fields";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { toast } from "~/hooks/toasts";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import {
  createCalendarAddress,
  renewCalendarAddress,
  turnCalendarOff,
  viewCalendar,
} from "~/use-cases/sessions/calendar.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewCalendar, { whenSignedOut: "redirect" });

const rendersResult = true;
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    "calendar.create": on(NoFields, createCalendarAddress, {
      needsCheck: true,
      toast: "Your calendar address is ready.",
      rendersResult,
    }),
    "calendar.renew": on(NoFields, renewCalendarAddress, {
      needsCheck: true,
      toast: "The old address does not work any more.",
      rendersResult,
    }),
    "calendar.off": on(NoFields, turnCalendarOff, { toast: "The calendar address is turned off." }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Calendar",
    description: "Your sessions in the calendar program that you use.",
  });

/** The address in an answer. No later answer repeats it. */
const addressIn = (result: unknown): string | null =>
  (result as { address?: string } | null | undefined)?.address ?? null;

export default function AccountCalendar() {
  const { since } = useLoaderData<typeof loader>();
  const posted = usePosted();
  const [newAddress, setNewAddress] = useState<string | null>(null);
  const address = newAddress ?? (posted?.ok ? addressIn(posted.result) : null);
  const onSuccess = (result: unknown, sentence: string | null) => {
    setNewAddress(addressIn(result));
    if (sentence) toast.success(sentence);
  };
  return (
    <AccountPage
      title="Calendar"
      intro="See the sessions that you joined in your own calendar. It follows when they move."
    >
      <AccountSection
        title="Calendar address"
        id="address"
        about="A secret link that your calendar program reads."
      >
        {address && since !== null && <NewAddress address={address} />}
        {since === null ? (
          <CreateAddress onSuccess={onSuccess} />
        ) : (
          <ManageAddress since={since} onSuccess={onSuccess} />
        )}
      </AccountSection>
      <AccountSection
        title="How to subscribe"
        id="subscribe"
        about="Calendar programs refresh after 1 to 24 hours."
      >
        <HowTo />
      </AccountSection>
    </AccountPage>
  );
}

type OnSuccess = (result: unknown, sentence: string | null) => void;

function CreateAddress({ onSuccess }: { onSuccess: OnSuccess }) {
  const form = useActionForm({ intent: "calendar.create", onSuccess });
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <p>
        Everybody with the address sees titles, times and summaries of your sessions, and nothing else of your
        account.
      </p>
      <SubmitRow form={form} variant="primary">
        Create a calendar address
      </SubmitRow>
    </ActionForm>
  );
}

function ManageAddress({ since, onSuccess }: { since: number; onSuccess: OnSuccess }) {
  const renew = useActionForm({ intent: "calendar.renew", onSuccess });
  const turnOff = useActionForm({ intent: "calendar.off", onSuccess });
  return (
    <>
      <p>
        You have a calendar address since <Time at={since} look="date" />. We keep no copy of it: renew it to
        see a new one. Then the old one stops working at once.
      </p>
      <div className="flex flex-wrap gap-3">
        <ActionForm form={renew} className="flex flex-col gap-3">
          <SubmitRow form={renew}>Renew</SubmitRow>
        </ActionForm>
        <ActionForm form={turnOff} className="flex flex-col gap-3">
          <SubmitRow form={turnOff} variant="danger">
            Turn off
          </SubmitRow>
        </ActionForm>
      </div>
    </>
  );
}

function NewAddress({ address }: { address: string }) {
  return (
    <Notice tone="warning" title="Copy this address now." isLive>
      <p>You will not see it again. Do not share it: it needs no password.</p>
      <p className="my-3">
        <code className="wrap-anywhere rounded-md bg-sunken px-2 py-1 text-sm">{address}</code>
      </p>
      <CopyButton text={address} label="Copy address" />
    </Notice>
  );
}

function HowTo() {
  return (
    <dl className="flex flex-col gap-4 [&_dd]:text-soft [&_dt]:font-semibold">
      <div>
        <dt>Google Calendar</dt>
        <dd>On a computer, press + beside “Other calendars”, then “From URL”, and paste the address.</dd>
      </div>
      <div>
        <dt>Apple Calendar</dt>
        <dd>
          On a Mac, choose File, then New Calendar Subscription. On an iPhone, open Settings, Apps, Calendar,
          Calendar Accounts, Add Account, Other, and add a subscribed calendar.
        </dd>
      </div>
      <div>
        <dt>Outlook</dt>
        <dd>Choose “Add calendar”, then “Subscribe from web”, and paste the address.</dd>
      </div>
    </dl>
  );
}
