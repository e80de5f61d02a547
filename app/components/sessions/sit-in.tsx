// The form to sit in as a guest with only a name (H-18), and the notice that offers to keep the seat with an account (H-22).
import { Link } from "@remix-run/react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Button, buttonClass } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { useActionForm } from "~/hooks/form/use-action-form";
import type { ActResult } from "~/wire/act";

type SitInProps = {
  path: string;
  needsCode: boolean;
  /** The code in the page's address. */
  linkCode: string;
  posted: ActResult | undefined;
};

export function SitIn({ path, needsCode, linkCode, posted }: SitInProps) {
  const form = useActionForm({ intent: "sit-in", action: path, posted, redirects: true });
  // The code of the link may be old. A code that was typed instead stays in its field.
  const code = form.shownValue("joinCode", linkCode);
  const isCodeTyped = linkCode === "" || code !== linkCode;
  const isCodeRefused = form.result?.ok === false && form.result.code === "WRONG_CODE";
  const hasCodeField = needsCode && (isCodeTyped || isCodeRefused);
  return (
    <ActionForm form={form} className="flex max-w-md flex-col gap-3">
      <p className="text-soft">or sit in as a guest</p>
      <FormErrors form={form} />
      <div className="flex flex-wrap items-end gap-3">
        <TextRow
          name="name"
          label="Your name"
          error={form.errorsOf("name")}
          defaultValue={form.shownValue("name")}
          autoComplete="nickname"
          maxLength={60}
          className="min-w-0 flex-1 basis-48"
        />
        <Button type="submit" isLoading={form.isBusy}>
          Sit in
        </Button>
      </div>
      {hasCodeField && (
        <TextRow
          name="joinCode"
          label="Join Code"
          error={form.errorsOf("joinCode")}
          defaultValue={code}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {!hasCodeField && linkCode !== "" && <input type="hidden" name="joinCode" value={linkCode} />}
    </ActionForm>
  );
}

/** The notice for a guest on every page of the session: what an account keeps. */
export function KeepGuestSeat({ path, name }: { path: string; name: string }) {
  const next = encodeURIComponent(path);
  return (
    <Notice tone="info" title={`You sit in as ${name}, a guest.`}>
      <p className="guest-why">
        A new account keeps your seat, your logs, what you contributed and the recap. Signing in to another
        one gives up the seat. Without an account, your words go a day after the session.
      </p>
      <p>
        <Link
          to={`?auth=register&next=${next}`}
          preventScrollReset
          className={buttonClass("quiet", "md", "mt-2")}
        >
          Keep my seat
        </Link>
      </p>
    </Notice>
  );
}
