// The host's tools for a call (J-01, J-03): they make or replace it, and link to it before it opens.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { Button, buttonClass } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import type { CallDates } from "~/domain/sessions/call";
import { isMeetingOpen } from "~/domain/sessions/call";
import type { SessionMe, ShownSession } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useFlips } from "~/hooks/use-now";
import type { ActResult } from "~/wire/act";
import { useCallLink } from "./call";

const DATE_OPTIONS: { value: CallDates; label: string }[] = [
  { value: "this", label: "This date" },
  { value: "all", label: "All dates, with one call" },
  { value: "each", label: "All dates, each with its own call" },
];

type Props = {
  session: Pick<ShownSession, "path" | "meetingLink">;
  me: SessionMe;
  posted: ActResult | undefined;
};

/** Shown to host and admins until the session ends. */
export function CallTools({ session, me, posted }: Props) {
  const room = useLive("room");
  const isOpen = useFlips((now) => isMeetingOpen(room, now)).value;
  const link = useCallLink(session.meetingLink);
  const form = useActionForm({ intent: "call", action: session.path, posted });
  const dates = form.field("dates");
  const isFirst = session.meetingLink === "";
  if (isFirst && !me.canMakeCall) return null;
  return (
    <div className="flex flex-col gap-2">
      {link !== "" && !(isOpen && me.isJoined) && (
        <>
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass("quiet", "md", "self-start")}
          >
            <Icon name="camera" />
            Open the meeting
          </a>
          <p className="text-sm text-soft">Participants see this from 30 minutes before the start.</p>
        </>
      )}
      {me.canMakeCall && (
        <ActionForm form={form} className="flex flex-wrap items-end gap-2" aria-label="The call">
          {me.series?.isMine && (
            <Field label="The call is for" error={dates.error}>
              <Select name={dates.name} defaultValue={dates.defaultValue || "this"} options={DATE_OPTIONS} />
            </Field>
          )}
          <Button type="submit" isLoading={form.isBusy}>
            <Icon name="camera" />
            {isFirst ? "Make a call" : "Make a new call"}
          </Button>
          <FormErrors form={form} />
        </ActionForm>
      )}
    </div>
  );
}
