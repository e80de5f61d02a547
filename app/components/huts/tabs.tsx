// The tabs of a hut's pages.
import { LinkTabs } from "~/components/ui/link-tabs";

export const HutTabs = ({ path, canModerate }: { path: string; canModerate: boolean }) => (
  <LinkTabs
    label="Hut"
    tabs={[
      { to: path, label: "Details", isExact: true },
      { to: `${path}/sessions`, label: "Sessions" },
      { to: `${path}/activities`, label: "Activities" },
      { to: `${path}/forum`, label: "Forum" },
      ...(canModerate ? [{ to: `${path}/members`, label: "Members" }] : []),
    ]}
  />
);
