// The frame of every page: header, footer, bottom bar, loading line, modals, toasts, and the announcement of each
// navigation.
import { useNavigation } from "@remix-run/react";
import { Fragment, type ReactNode } from "react";
import { TourOutlet } from "~/components/tour/tour-outlet";
import { ToastOutlet } from "~/components/ui/toast-outlet";
import { usePageOwner } from "~/hooks/made-for";
import { useQuietAborts } from "~/hooks/use-quiet-aborts";
import { useShell } from "~/hooks/use-shell";
import { BottomBar } from "./bottom-bar";
import { ConfirmBanner } from "./confirm-banner";
import { Footer } from "./footer";
import { Header } from "./header";
import { LandingToast } from "./landing-toast";
import { ModalOutlet } from "./modal-outlet";
import { OfflineOutlet } from "./offline-outlet";
import { OwnerNotice } from "./owner-notice";
import { Shortcuts } from "./shortcuts";
import { SkipLink } from "./skip-link";
import { useAfterHydration } from "./use-after-hydration";
import { useArrival } from "./use-arrival";
import { useWelcome, WelcomeContext, WelcomeMessage } from "./welcome-message";

export function Frame({ children }: { children: ReactNode }) {
  const navigation = useNavigation();
  const announcement = useArrival();
  const welcome = useWelcome();
  const { ownerChanges, ...owner } = usePageOwner();
  const { home } = useShell();
  useAfterHydration();
  useQuietAborts();
  return (
    <div className="flex min-h-dvh flex-col pb-16 tiny:pb-0 md:pb-0">
      <SkipLink />
      {navigation.state !== "idle" && <div className="loading-line" aria-hidden="true" />}
      <Header />
      <OfflineOutlet />
      <OwnerNotice {...owner} />
      <ConfirmBanner />
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        <LandingToast />
        {welcome.isShown && <WelcomeMessage onClose={welcome.close} />}
        <WelcomeContext.Provider value={welcome.isShown}>
          {/* Forms mount again for another person, so that they keep no text of the former one. */}
          <Fragment key={ownerChanges}>{children}</Fragment>
        </WelcomeContext.Provider>
      </main>
      <Footer />
      {/* The links of the bar are closed to a guest, whose home is the session (H-19). */}
      {home === "/" && <BottomBar />}
      <ModalOutlet />
      <Shortcuts />
      <ToastOutlet />
      <TourOutlet />
      <p className="sr-only" aria-live="polite" aria-atomic="true">
        {announcement}
      </p>
    </div>
  );
}
