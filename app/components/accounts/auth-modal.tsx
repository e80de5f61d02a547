// The auth modal (U-04, S-01) over the current page. The URL (`?auth=login`, which works without JavaScript) or a
// refused action opens it; after signing in the action is retried.
import { useLocation, useNavigate } from "@remix-run/react";
import { useState } from "react";
import { Dialog } from "~/components/ui/dialog";
import { priceOfAct } from "~/domain/accounts/price-of-act";
import { safePath } from "~/domain/accounts/safe-path";
import { announceSignIn } from "~/hooks/accounts/signed-in";
import { useActToResume } from "~/hooks/accounts/use-act-to-resume";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { useShell } from "~/hooks/use-shell";
import { intentOfCall } from "~/wire/intents-of-calls";
import type { SignInTab } from "./sign-in-form";
import { SignInTabs } from "./sign-in-tabs";

const titleOf = (appName: string, tab: SignInTab) => (tab === "login" ? "Sign in" : `Join ${appName}`);

/** `act` is an intent, with its path where that is another than the page's, or a call as text. */
function sentenceOf(act: string, pagePath: string): string {
  const [intent = "", path = pagePath] = act.split(" ");
  return priceOfAct(intentOfCall(intent) ?? intent, path) ?? "Then we go on with it.";
}

type ModalProps = {
  query: URLSearchParams;
  /** The URL after closing: this page without the modal's own parameters. */
  closeTo: string;
};

export function AuthModal({ query, closeTo }: ModalProps) {
  const { appName, viewer } = useShell();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  // A signed-in viewer needs no form; a viewer who signs in with this form keeps it until the redirect.
  const [wasSignedIn] = useState(viewer !== null);
  const actToResume = useActToResume();
  if (wasSignedIn) return null;
  const tab: SignInTab = query.get("auth") === "register" ? "register" : "login";
  const nextInUrl = query.get("next");
  const next = nextInUrl ? safePath(nextInUrl) : safePath(closeTo);
  const pathOf = (value: SignInTab) => {
    const [path = "/", search] = closeTo.split("#", 1)[0]?.split("?") ?? [];
    const params = new URLSearchParams(search);
    params.set("auth", value);
    if (nextInUrl) params.set("next", nextInUrl);
    return `${path}?${params}`;
  };
  return (
    <Dialog title={titleOf(appName, tab)} closeTo={closeTo}>
      {actToResume && <p className="pb-4 text-soft">{sentenceOf(actToResume.intent, pathname)}</p>}
      <SignInTabs
        tab={tab}
        pathOf={pathOf}
        next={next}
        actToResume={actToResume?.token ?? ""}
        focusOnMount
        onDone={() => {
          void announceSignIn();
          navigate(next, { replace: true, preventScrollReset: !nextInUrl });
        }}
      />
    </Dialog>
  );
}

/** Opened by `openModal({ name: "auth" })`. */
export function AuthModalOnAction({ modal }: { modal: Extract<Modal, { name: "auth" }> }) {
  const { appName } = useShell();
  const { pathname } = useLocation();
  const [tab, setTab] = useState<SignInTab>("login");
  return (
    <Dialog title={titleOf(appName, tab)} onClose={closeModal}>
      {modal.act && <p className="pb-4 text-soft">{sentenceOf(modal.act, pathname)}</p>}
      <SignInTabs
        tab={tab}
        pathOf={(value) => `/auth/${value}`}
        onTab={setTab}
        next="/"
        focusOnMount
        onDone={() => {
          closeModal();
          void announceSignIn().then(modal.onDone);
        }}
      />
    </Dialog>
  );
}
