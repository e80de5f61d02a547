// The pills above the My pages (U-14) and above the pages of a goal (P-15).
import { Pills } from "~/components/ui/link-tabs";

export const MyTabs = () => (
  <Pills
    label="My pages"
    tabs={[
      { to: "/my/goals", label: "My Goals" },
      { to: "/my/logs", label: "My Logs" },
      { to: "/my/sessions", label: "My Sessions" },
      { to: "/my/series", label: "My Series" },
      { to: "/my/groups", label: "My Groups" },
      { to: "/my/notes", label: "My Notes" },
    ]}
  />
);

export const GoalTabs = ({ goalId }: { goalId: number }) => (
  <Pills
    label="Goal"
    tabs={[
      { to: `/my/goals/${goalId}`, label: "Details", isExact: true },
      { to: `/my/goals/${goalId}/logs`, label: "Logs" },
      { to: `/my/goals/${goalId}/notes`, label: "Notes" },
    ]}
  />
);
