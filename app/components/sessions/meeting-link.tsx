// The video call of a session: for host and admins, and for participants from half an hour before the start (G-38).
import { useEffect, useRef } from "react";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { buttonClass } from "~/components/ui/button";
import { isMeetingOpen, SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import type { SessionMe, ShownSession } from "~/domain/sessions/view";
import { useFreshData } from "~/hooks/use-fresh-data";
import { useFlips } from "~/hooks/use-now";

export function MeetingLink({
  session,
  me,
  status,
}: {
  session: Pick<ShownSession, "meetingLink">;
  me: SessionMe;
  status: SessionStatus;
}) {
  const room = useLive("room");
  const isOpen = useFlips((now) => isMeetingOpen(room, now)).value;
  const readAgain = useFreshData();
  const wasOpen = useRef(isOpen);
  // The server sends the address only once it is open.
  useEffect(() => {
    if (isOpen && !wasOpen.current && me.isJoined) readAgain();
    wasOpen.current = isOpen;
  }, [isOpen, me.isJoined, readAgain]);
  if (session.meetingLink === "" || status === SESSION_STATUS.ended) return null;
  return (
    <div className="flex flex-col gap-2">
      <a
        href={session.meetingLink}
        target="_blank"
        rel="noreferrer noopener"
        className={buttonClass("quiet", "md", "self-start")}
      >
        <Icon name="link" />
        Open the meeting
      </a>
      {!isOpen && (
        <p className="text-sm text-soft">Participants see this from 30 minutes before the start.</p>
      )}
    </div>
  );
}
