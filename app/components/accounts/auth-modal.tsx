// The auth modal (U-04, S-01): over the page one is on, opened by the address (`?auth=login`, in the server's HTML, so it
// works without JavaScript) or by a refused action, which is done after signing in.
import { useNavigate } from "@remix-run/react";
import { useState } from "react";
import { Dialog } from "~/components/ui/dialog";
import { safePath } from "~/domain/account-rules";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { announceSignIn } from "~/hooks/signed-in";
import { useShell } from "~/hooks/use-shell";
import type { SignInTab } from "./sign-in-form";
import { SignInTabs } from "./sign-in-tabs";

const titleOf = (appName: string, tab: SignInTab) => (tab === "login" ? "Welcome back" : `Join ${appName}`);

export function AuthModal({ query, closeTo }: { query: URLSearchParams; closeTo: string }) {
  const { appName, viewer } = useShell();
  const navigate = useNavigate();
  // Who came here signed in needs no form; who signs in here keeps it until it has led on.
  const [wasSignedIn] = useState(viewer !== null);
  if (wasSignedIn) return null;
  const tab: SignInTab = query.get("auth") === "register" ? "register" : "login";
  const given = query.get("next");
  const next = given ? safePath(given) : safePath(closeTo);
  const pathOf = (value: SignInTab) => {
    const [path = "/", search] = closeTo.split("#", 1)[0]?.split("?") ?? [];
    const params = new URLSearchParams(search);
    params.set("auth", value);
    if (given) params.set("next", given);
    return `${path}?${params}`;
  };
  return (
    <Dialog title={titleOf(appName, tab)} closeTo={closeTo}>
      <SignInTabs
        tab={tab}
        pathOf={pathOf}
        next={next}
        focusOnMount
        onDone={() => {
          void announceSignIn();
          navigate(next, { replace: true, preventScrollReset: !given });
        }}
      />
    </Dialog>
  );
}

/** Opened by `openModal({ name: "auth" })`. */
export function AuthModalOnAction({ modal }: { modal: Extract<Modal, { name: "auth" }> }) {
  const { appName } = useShell();
  const [tab, setTab] = useState<SignInTab>(modal.tab ?? "login");
  return (
    <Dialog title={titleOf(appName, tab)} onClose={closeModal}>
      <SignInTabs
        tab={tab}
        pathOf={(value) => `/auth/${value}`}
        onTab={setTab}
        next="/"
        focusOnMount
        onDone={() => {
          closeModal();
          void announceSignIn();
          modal.onDone?.();
        }}
      />
    </Dialog>
  );
}
