// The account page (P-12): profile, subscription, names, password.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DeleteAccount } from "~/components/accounts/delete-account";
import { DistanceForm } from "~/components/accounts/distance-form";
import { ExportList } from "~/components/accounts/export-list";
import { FailingAddress } from "~/components/accounts/failing-address";
import { ImageSpace } from "~/components/accounts/image-space";
import { PasswordForm } from "~/components/accounts/password-form";
import { PersonList } from "~/components/accounts/person-list";
import { ProfileForm } from "~/components/accounts/profile-form";
import { SubscriptionSlot } from "~/components/accounts/subscription-slot";
import { MadeFor } from "~/components/form/made-for";
import { AccountSection, AccountTabs } from "~/components/layout/account-page";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { PushSection } from "~/components/notices/push-section";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { DeletionInput, PasswordInput, PersonInput, ProfileInput } from "~/domain/accounts/accounts";
import { deletionScheduledSentence } from "~/domain/accounts/deletion";
import { PROFILE_SAVED } from "~/domain/accounts/rules";
import { isOtherAddress } from "~/domain/accounts/sign-in";
import { formatDay } from "~/domain/days";
import { SUBSCRIBED } from "~/domain/payments/products";
import {
  DistanceChoice,
  PersonChoice,
  PlanChoice,
  ShownAttendance,
  SubscriptionChoice,
} from "~/forms/accounts/accounts";
import { forgetDrafts } from "~/hooks/accounts/forget-drafts";
import { usePosted } from "~/hooks/form/use-posted";
import { useHydrated } from "~/hooks/use-hydrated";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { askForDeletion } from "~/use-cases/accounts/deletion.server";
import { viewAccount } from "~/use-cases/accounts/page.server";
import { changePassword } from "~/use-cases/accounts/passwords.server";
import { addPerson, showAttended, switchPerson } from "~/use-cases/accounts/persons.server";
import { chooseDistanceUnit, updateProfile } from "~/use-cases/accounts/profile.server";
import { viewPush } from "~/use-cases/notices/push.server";
import {
  cancelSubscription,
  createSubscription,
  viewSubscribe,
} from "~/use-cases/payments/subscriptions.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(
    args,
    async (app, _: undefined) => {
      const [account, { subscription, cards }, push] = await Promise.all([
        viewAccount(app),
        viewSubscribe(app),
        viewPush(app),
      ]);
      return { ...account, subscription, cards, push };
    },
    { whenSignedOut: "redirect" },
  );

/** Without JavaScript the page itself shows the success. */
const rendersResult = true;
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    profile: on(ProfileInput, updateProfile, {
      needsCheck: isOtherAddress,
      toast: PROFILE_SAVED,
      rendersResult,
    }),
    password: on(PasswordInput, changePassword, {
      needsCheck: true,
      toast: "Your password was changed.",
      rendersResult,
    }),
    "add-person": on(PersonInput, addPerson, {
      toast: (person) => `You can act as ${person.username} now.`,
      rendersResult,
    }),
    "delete-account": on(DeletionInput, askForDeletion, {
      needsCheck: true,
      redirectTo: () => "/",
      toast: ({ at }, app) => deletionScheduledSentence(formatDay(at, app.timeZone, app.locale)),
    }),
    "cancel-subscription": on(SubscriptionChoice, cancelSubscription, { rendersResult }),
    "resume-subscription": on(
      PlanChoice,
      (app, { product }) => createSubscription(app, { product, method: null }),
      { toast: SUBSCRIBED, rendersResult },
    ),
    "distance-unit": on(DistanceChoice, chooseDistanceUnit, { toast: "Your unit was saved.", rendersResult }),
    "show-attended": on(ShownAttendance, showAttended, { rendersResult }),
    "switch-person": on(PersonChoice, switchPerson, {
      toast: (person) => `You act as ${person.username} now.`,
      rendersResult,
    }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "My Account",
    description: "Your name, your password, where you are signed in, your plan and your own data.",
  });

export default function Account() {
  const account = useLoaderData<typeof loader>();
  const posted = usePosted();
  const isHydrated = useHydrated();
  return (
    <Page
      title="My Account"
      breadcrumbs={[{ label: "Home", to: "/" }, { label: "My Account" }]}
      actions={
        <form method="post" action="/auth/logout" onSubmit={forgetDrafts}>
          <MadeFor />
          <Button type="submit">Logout</Button>
        </form>
      }
      tabs={<AccountTabs />}
    >
      {/* With JavaScript this is a toast. */}
      {posted?.ok && posted.toast && !isHydrated && (
        <Notice tone="success" isLive>
          {posted.toast}
        </Notice>
      )}
      <AccountSection title="Profile" id="profile" about="Your name and your email address.">
        {account.isFailing && <FailingAddress email={account.email} />}
        <ProfileForm
          key={account.accountName}
          accountName={account.accountName}
          email={account.email}
          firstName={account.firstName}
          lastName={account.lastName}
        />
      </AccountSection>
      <AccountSection
        title="Distances"
        id="distances"
        about="Pages show distances in this unit, and fields take them in it. Logs keep their length."
      >
        <DistanceForm unit={account.distanceUnit} />
      </AccountSection>
      <SubscriptionSlot subscription={account.subscription} cards={account.cards} />
      <AccountSection title="Your names" id="names" about="Items and posts belong to the name you are using.">
        <PersonList persons={account.persons} />
      </AccountSection>
      <AccountSection title="Password" id="password" about="To change it, enter your current password.">
        <PasswordForm email={account.email} />
      </AccountSection>
      {account.push.publicKey !== null && (
        <AccountSection
          title="Notifications"
          id="notifications"
          about="Reminders and replies in this browser, also when no page of ours is open."
        >
          <PushSection {...account.push} publicKey={account.push.publicKey} />
        </AccountSection>
      )}
      <AccountSection title="Images" id="images" about="A small image counts as 0.1 MB.">
        <ImageSpace {...account.images} />
      </AccountSection>
      <AccountSection
        title="Export your data"
        id="export"
        about="Your data is yours. Download all of it in one file, or single tables for a spreadsheet."
      >
        <ExportList />
      </AccountSection>
      <AccountSection title="Danger zone" id="danger">
        <DeleteAccount email={account.email} />
      </AccountSection>
    </Page>
  );
}
