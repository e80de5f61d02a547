// The menu that adds a session to a calendar, by file or by an online calendar's form. It works without JavaScript (F-18).
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu } from "~/components/ui/dropdown-menu";

/** `path`: the session's. */
export const AddToCalendar = ({ path }: { path: string }) => (
  <DropdownMenu
    align="start"
    className="self-start"
    trigger={
      <>
        Add to calendar
        <Icon name="down" />
      </>
    }
    triggerClassName="quiet-trigger"
  >
    <a className="menu-item" href={`${path}/calendar.ics`} download>
      Download file
    </a>
    <a className="menu-item" href={`${path}/calendar.ics?to=google`} target="_blank" rel="noreferrer">
      Google Calendar
    </a>
    <a className="menu-item" href={`${path}/calendar.ics?to=outlook`} target="_blank" rel="noreferrer">
      Outlook
    </a>
  </DropdownMenu>
);
