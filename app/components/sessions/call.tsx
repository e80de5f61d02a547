// "Join the call" beside the clock (J-02): for people with a seat, from half an hour before the start to the end.
import { useEffect, useRef, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { callMark, callSite, isMeetingOpen } from "~/domain/sessions/call";
import type { SessionMe, ShownSession } from "~/domain/sessions/view";
import { toast } from "~/hooks/toasts";
import { useFreshData } from "~/hooks/use-fresh-data";
import { useFlips } from "~/hooks/use-now";

/** The link of the call that the page has loaded. It is "" once the room reports a new call, until the page has its link. */
export function useCallLink(link: string): string {
  const { call } = useLive("room");
  return call === undefined || call === callMark(link) ? link : "";
}

export function JoinCall({ session, me }: { session: Pick<ShownSession, "meetingLink">; me: SessionMe }) {
  const room = useLive("room");
  const client = useLive("client");
  const isOpen = useFlips((now) => isMeetingOpen(room, now)).value;
  const link = useCallLink(session.meetingLink);
  const reloadData = useFreshData();
  const [pressedLink, setPressedLink] = useState("");
  const wasOpen = useRef(isOpen);
  const lastCall = useRef(room.call);
  // The server sends the link only once the call is open.
  useEffect(() => {
    if (isOpen && !wasOpen.current) reloadData();
    wasOpen.current = isOpen;
  }, [isOpen, reloadData]);
  const hasNewCall = room.call !== undefined && room.call !== callMark(session.meetingLink);
  useEffect(() => {
    const previous = lastCall.current;
    lastCall.current = room.call;
    if (!isOpen || !hasNewCall) return;
    if (previous && room.call && previous !== room.call) toast.info("The host has made a new call.");
    reloadData();
  }, [isOpen, hasNewCall, room.call, reloadData]);
  if (!isOpen || link === "" || !me.isJoined) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <a
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        className="call-link"
        onClick={() => {
          setPressedLink(link);
          client?.signal({ type: "call" });
        }}
      >
        <Icon name="camera" />
        Join the call
      </a>
      {pressedLink !== link && <span className="text-soft">Opens {callSite(link)}.</span>}
    </span>
  );
}
