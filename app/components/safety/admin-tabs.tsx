// The pages of super admins, as tabs.
import { LinkTabs } from "~/components/ui/link-tabs";

export const AdminTabs = () => (
  <LinkTabs
    label="Admin"
    tabs={[
      { to: "/admin/reports", label: "Reports" },
      { to: "/admin/audit", label: "Audit" },
      { to: "/admin", label: "Deliveries", isExact: true },
    ]}
  />
);
