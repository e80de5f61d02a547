// The bell of the header: unread notices, read again when the page becomes visible, at most once a minute (N-09).
import { Link } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { callServer } from "~/hooks/call-server";
import * as paths from "~/wire/paths";

const REFRESH_MS = 60_000;

export function Bell({ unread }: { unread: number }) {
  // A refreshed count applies only until the page's data has another count.
  const [refreshed, setRefreshed] = useState<{ pageCount: number; unread: number } | null>(null);
  const shownCount = refreshed?.pageCount === unread ? refreshed.unread : unread;
  useEffect(() => {
    let refreshedAt = Date.now();
    const refresh = () => {
      if (document.visibilityState !== "visible" || Date.now() - refreshedAt < REFRESH_MS) return;
      refreshedAt = Date.now();
      callServer<{ serverData: { unread: number } }>(paths.listMyNotices)
        .then(({ serverData }) => setRefreshed({ pageCount: unread, unread: serverData.unread }))
        // The next visit tries again.
        .catch(() => {});
    };
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [unread]);
  return (
    <Link to="/my/notices" aria-label={`${shownCount} unread notices`} className="bell">
      <Icon name="bell" />
      {shownCount > 0 && (
        <span aria-hidden="true" className="tabular bell-count">
          {shownCount > 99 ? "99+" : shownCount}
        </span>
      )}
    </Link>
  );
}
