// The menu that adds a session to a calendar, by file or by link. It works without JavaScript (F-18).
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import { entryText, googleLink, outlookLink } from "~/domain/sessions/calendar";
import type { ShownSession } from "~/domain/sessions/view";
import type { Instant } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";

type Props = { session: Pick<ShownSession, "path" | "summary">; title: string; start: Instant; end: Instant };

export function AddToCalendar({ session, title, start, end }: Props) {
  const { origin } = useShell();
  const address = `${origin}${session.path}`;
  const entry = { title, start, end, address, description: entryText(session.summary, address) };
  return (
    <DropdownMenu
      align="start"
      className="self-start"
      trigger={
        <>
          Add to calendar
          <Icon name="down" />
        </>
      }
      triggerClassName="inline-flex min-h-11 cursor-pointer items-center gap-1.5 rounded-md text-sm underline decoration-line underline-offset-4"
    >
      <a className="menu-item" href={`${session.path}/calendar.ics`} download>
        Download file
      </a>
      <a className="menu-item" href={googleLink(entry)} target="_blank" rel="noreferrer">
        Google Calendar
      </a>
      <a className="menu-item" href={outlookLink(entry)} target="_blank" rel="noreferrer">
        Outlook
      </a>
    </DropdownMenu>
  );
}
