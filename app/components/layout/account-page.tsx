// The layout of the account pages: the page with its tabs, and its sections.
import type { ReactNode } from "react";
import { Page, type PageProps } from "~/components/layout/page";
import { Pills } from "~/components/ui/link-tabs";

type Props = { title: string; about?: ReactNode; id: string; children: ReactNode };

/** On wide screens the description is beside the section, on narrow ones above it. */
export const AccountSection = ({ title, about, id, children }: Props) => (
  <section
    id={id}
    aria-labelledby={`${id}-title`}
    className="grid gap-x-10 gap-y-4 border-t border-line pt-8 pb-2 md:grid-cols-[13rem_minmax(0,36rem)]"
  >
    <div className="flex flex-col gap-1">
      <h2 id={`${id}-title`} className="text-lg">
        {title}
      </h2>
      {about && <p className="text-soft md:text-sm">{about}</p>}
    </div>
    <div className="flex min-w-0 flex-col gap-4">{children}</div>
  </section>
);

export const AccountTabs = () => (
  <Pills
    label="Account"
    tabs={[
      { to: "/account", label: "My Account", isExact: true },
      { to: "/account/security", label: "Security" },
      { to: "/account/notifications", label: "Notifications" },
      { to: "/account/calendar", label: "Calendar" },
      { to: "/account/api", label: "Keys" },
      { to: "/account/tokens", label: "My Tokens" },
      { to: "/account/blocks", label: "Blocked people" },
    ]}
  />
);

/** A page below My Account; `label` names it in the breadcrumbs if the title is longer. */
export const AccountPage = ({ label, ...page }: PageProps & { title: string; label?: string }) => (
  <Page
    {...page}
    breadcrumbs={[
      { label: "Home", to: "/" },
      { label: "My Account", to: "/account" },
      { label: label ?? page.title },
    ]}
    tabs={<AccountTabs />}
  />
);
