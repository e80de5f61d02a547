// /account/notifications: which notices come in the app, by email and by push, quiet hours and the digest (N-13 to
// N-17).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { SelectRow, TextRow } from "~/components/form/rows";
import { AccountPage, AccountSection } from "~/components/layout/account-page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { type Channel, LEADS } from "~/domain/notices/notices";
import { textOfMinute } from "~/domain/notices/quiet-hours";
import { NoticeSettingsForm } from "~/forms/notices/notices";
import type { TypedFields } from "~/hooks/form/typed-fields";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import {
  changeNoticeSettings,
  type NoticeSettings,
  viewNoticeSettings,
} from "~/use-cases/notices/notices.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewNoticeSettings, { whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    "notices.settings": on(NoticeSettingsForm, changeNoticeSettings, {
      toast: "Your notifications are saved.",
    }),
  });
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Notifications", description: "What we send you, where and when." });

const CHANNEL_LABELS: Record<Channel, string> = { app: "In the app", mail: "Email", push: "Push" };
const LEAD_LABELS = { 10: "10 min", 60: "1 hour", 1440: "24 hours" } as const;

export default function AccountNotifications() {
  const { kinds, channels, quiet, digest } = useLoaderData<typeof loader>();
  const form = useActionForm({ intent: "notices.settings" });
  return (
    <AccountPage title="Notifications">
      <ActionForm form={form} className="flex flex-col gap-8">
        <input type="hidden" name="channels" value={channels.join()} />
        <AccountSection
          id="kinds"
          title="What we send you"
          about="Emails about security and moderation cannot be switched off."
        >
          <div className="relative overflow-x-auto">
            <table className="w-full">
              <caption className="sr-only">Notices by kind and way</caption>
              <thead>
                <tr className="border-b border-line text-sm text-soft">
                  <th scope="col" className="text-start font-normal">
                    <span className="sr-only">Notice</span>
                  </th>
                  {channels.map((channel) => (
                    <th key={channel} scope="col" className="w-16 pb-2 font-normal sm:w-32">
                      {CHANNEL_LABELS[channel]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {kinds.map((kind) => (
                  <KindRow key={kind.kind} kind={kind} channels={channels} form={form} />
                ))}
              </tbody>
            </table>
          </div>
        </AccountSection>
        <AccountSection
          id="times"
          title="When"
          about="Email and push wait until quiet hours end. Notices in the app do not."
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <TextRow
              {...form.field("quietFrom", quiet?.from)}
              label="Quiet from"
              type="time"
              hint="Leave both empty for none."
            />
            <TextRow {...form.field("quietTo", quiet?.to)} label="Quiet until" type="time" />
          </div>
          <SelectRow
            {...form.field("digest", digest)}
            label="Digest"
            hint="One email instead of many. Reminders and changed sessions still come at once."
          >
            <option value="off">Off</option>
            <option value="daily">Daily at 08:00</option>
            <option value="weekly">Weekly, on Monday at 08:00</option>
          </SelectRow>
          <FormErrors form={form} />
          <div>
            <Button type="submit" variant="primary" isLoading={form.isBusy}>
              Save
            </Button>
          </div>
        </AccountSection>
      </ActionForm>
    </AccountPage>
  );
}

type KindProps = { kind: NoticeSettings["kinds"][number]; channels: Channel[]; form: TypedFields };

/** Kinds with a time of their own have labelled fields in one cell. */
function KindRow({ kind: { kind, label, isFixed, values }, channels, form }: KindProps) {
  const isTimed = kind === "still-open" || kind === "session-reminder";
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2 pe-3 text-start font-semibold">
        {label}
      </th>
      {isTimed ? (
        <td colSpan={channels.length} className="py-2">
          <div className="flex flex-wrap gap-x-4 gap-y-2 sm:grid sm:grid-cols-3 sm:gap-x-2">
            {channels.map((channel) => (
              <TimedField
                key={channel}
                kind={kind}
                label={label}
                channel={channel}
                value={values[channel]}
                form={form}
              />
            ))}
          </div>
        </td>
      ) : (
        channels.map((channel) => (
          <td key={channel} className="text-center">
            {values[channel] !== null && (
              <label className="inline-grid size-11 place-content-center">
                <span className="sr-only">{`${label}: ${CHANNEL_LABELS[channel]}`}</span>
                <input
                  type="checkbox"
                  name={`${kind}:${channel}`}
                  value="1"
                  defaultChecked={
                    // A disabled checkbox is not sent back.
                    isFixed
                      ? values[channel] !== 0
                      : form.checkedValues(`${kind}:${channel}`, values[channel] === 0 ? [] : ["1"]).length >
                        0
                  }
                  disabled={isFixed}
                  className="check"
                />
              </label>
            )}
          </td>
        ))
      )}
    </tr>
  );
}

type TimedFieldProps = {
  kind: string;
  label: string;
  channel: Channel;
  value: number | null;
  form: TypedFields;
};

function TimedField({ kind, label, channel, value, form }: TimedFieldProps) {
  // A kind without this channel leaves its column empty.
  if (value === null) return <span className="max-sm:hidden" />;
  const name = `${kind}:${channel}`;
  const className = "flex min-h-11 flex-col gap-1";
  const channelLabel = (
    // On wide screens the head of the column has the channel's name.
    <span className="text-sm text-soft sm:sr-only">
      <span className="sr-only">{label}: </span>
      {CHANNEL_LABELS[channel]}
      {kind === "still-open" && ", at"}
    </span>
  );
  if (kind === "still-open")
    return (
      <label className={className}>
        {channelLabel}
        <input
          type="time"
          name={name}
          defaultValue={form.shownValue(name, value === 0 ? "" : textOfMinute(value - 1))}
          className="control h-11"
        />
      </label>
    );
  return (
    <label className={className}>
      {channelLabel}
      <select name={name} defaultValue={form.shownValue(name, String(value))} className="control h-11">
        <option value="0">Off</option>
        {LEADS.map((lead) => (
          <option key={lead} value={lead}>
            {LEAD_LABELS[lead]}
          </option>
        ))}
      </select>
    </label>
  );
}
