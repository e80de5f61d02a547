// The head of a session's pages. In a running room on a phone, crumbs, actions and tabs are in one menu beside the title.
import { useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "~/components/pictures/icon";
import { Breadcrumbs, type Crumb } from "~/components/ui/breadcrumbs";

type Props = {
  title: string;
  crumbs: readonly Crumb[];
  statusLine: ReactNode;
  actions: ReactNode;
  tabs: ReactNode;
};

const MENU_ID = "session-menu";

export function RoomHead({ title, crumbs, statusLine, actions, tabs }: Props) {
  const menu = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  // A navigation closes the menu.
  const lastKey = useRef(key);
  useEffect(() => {
    if (lastKey.current !== key) menu.current?.hidePopover?.();
    lastKey.current = key;
  }, [key]);
  return (
    <div className="room-head">
      <div className="min-w-0 [grid-area:title]">
        <div className="text-sm">{statusLine}</div>
        <h1 tabIndex={-1} className="text-xl">
          {title}
        </h1>
      </div>
      <button
        type="button"
        aria-label="Session menu"
        className="room-menu-button"
        {...{ popovertarget: MENU_ID }}
      >
        <Icon name="list" />
      </button>
      <div ref={menu} id={MENU_ID} className="room-menu" {...{ popover: "auto" }}>
        <Breadcrumbs items={crumbs} />
        <div className="room-actions">{actions}</div>
        {tabs}
      </div>
    </div>
  );
}
