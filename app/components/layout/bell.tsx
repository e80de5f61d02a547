// The bell of the header: unread notices, read again when the page becomes visible, at most once a minute (N-09).
import { Link } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { callServer } from "~/hooks/call-server";
import * as paths from "~/wire/paths";

const REFRESH_MS = 60_000;

export function Bell({ unread }: { unread: number }) {
  // The page's own count replaces a refreshed count.
  const [refreshed, setRefreshed] = useState<{ of: number; unread: number } | null>(null);
  const shown = refreshed?.of === unread ? refreshed.unread : unread;
  useEffect(() => {
    let last = Date.now();
    const refresh = () => {
      if (document.visibilityState !== "visible" || Date.now() - last < REFRESH_MS) return;
      last = Date.now();
      callServer<{ serverData: { unread: number } }>(paths.listMyNotices)
        .then(({ serverData }) => setRefreshed({ of: unread, unread: serverData.unread }))
        // The next visit tries again.
        .catch(() => {});
    };
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [unread]);
  return (
    <Link to="/my/notices" aria-label={`${shown} unread notices`} className="bell">
      <Icon name="bell" />
      {shown > 0 && (
        <span aria-hidden="true" className="tabular bell-count">
          {shown > 99 ? "99+" : shown}
        </span>
      )}
    </Link>
  );
}
