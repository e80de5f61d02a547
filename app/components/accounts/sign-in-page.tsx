// The sign-in forms as a page.
import { Page } from "~/components/layout/page";
import { Card } from "~/components/ui/card";
import { useShell } from "~/hooks/use-shell";
import type { SignInTab } from "./sign-in-form";
import { SignInTabs } from "./sign-in-tabs";

export function SignInPage({
  tab,
  next,
  actToResume,
}: {
  tab: SignInTab;
  next: string;
  actToResume: string;
}) {
  const { appName } = useShell();
  const query = next === "/" ? "" : `?next=${encodeURIComponent(next)}`;
  return (
    <Page title={tab === "login" ? "Sign in" : `Join ${appName}`} width="narrow">
      <Card>
        <SignInTabs
          tab={tab}
          pathOf={(value) => `/auth/${value}${query}`}
          next={next}
          actToResume={actToResume}
        />
      </Card>
    </Page>
  );
}
