// A notice above the examples for visitors, with the reason to sign in. Its button opens the auth modal (U-03), without
// JavaScript too.
import { Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { buttonClass } from "~/components/ui/button";
import { Warning } from "~/components/ui/notice";
import { openModal } from "~/hooks/modal-store";

export function SignInWarning({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Warning
      action={
        <Link
          to={`?auth=login&next=${encodeURIComponent(pathname)}`}
          preventScrollReset
          className={buttonClass("primary")}
          onClick={(event) => {
            event.preventDefault();
            openModal({ name: "auth" });
          }}
        >
          Login or register
        </Link>
      }
    >
      {children}
    </Warning>
  );
}
