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
    <Link
      to="/my/notices"
      aria-label={`${shown} unread notices`}
      className="flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-full hover:bg-sunken"
    >
      <Icon name="bell" />
      {shown > 0 && (
        <span
          aria-hidden="true"
          className="tabular min-w-5 rounded-full bg-ember px-1 text-center text-xs font-semibold text-paper"
        >
          {shown > 99 ? "99+" : shown}
        </span>
      )}
    </Link>
  );
}
