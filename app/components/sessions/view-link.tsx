// The view link of a session or series whose stage is not open to everybody, for its host (J-10).
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { ButtonForm } from "~/components/form/button-form";
import { Section } from "~/components/layout/page";
import { Button } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { useActionForm } from "~/hooks/form/use-action-form";

export function ViewLink({ isMade }: { isMade: boolean }) {
  const form = useActionForm({ intent: "view-link" });
  const url = isMade && form.result?.ok ? (form.result.result as { url: string }).url : null;
  return (
    <Section title="View link" id="view-link">
      <p className="max-w-[65ch] text-soft">
        With this link a screen shows title, times, timers and your line, and no names. Everybody who has it
        can watch.
      </p>
      {url !== null && (
        <p className="flex flex-wrap items-center gap-3">
          <code className="wrap-anywhere rounded-md bg-sunken px-2 py-1">{url}</code>
          <CopyButton text={url} label="Copy link" variant="primary" />
        </p>
      )}
      {isMade && (
        <p className="text-sm text-soft">
          {url === null ? "The link is shown only when it is made. " : "It is shown only now. "}A new link
          ends this one.
        </p>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <ActionForm form={form}>
          <FormErrors form={form} />
          <Button type="submit" isLoading={form.isBusy}>
            {isMade ? "Make a new link" : "Make a link"}
          </Button>
        </ActionForm>
        {isMade && (
          <ButtonForm fields={{ intent: "view-link.end" }}>
            {(isBusy) => (
              <Button type="submit" variant="quiet" isLoading={isBusy}>
                End the link
              </Button>
            )}
          </ButtonForm>
        )}
      </div>
    </Section>
  );
}
