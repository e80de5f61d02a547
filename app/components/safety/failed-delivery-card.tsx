// A delivery that failed for good: its kind, its recipient, the last error, and the button that sends it again (N-06).
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { FailedDelivery } from "~/domain/notices/deliveries";
import { useActionForm } from "~/hooks/form/use-action-form";

const CHANNEL_NAMES = { mail: "Email", push: "Push" } as const;

export function FailedDeliveryCard({ delivery }: { delivery: FailedDelivery }) {
  const { key, label, channel, username, reason, at } = delivery;
  const form = useActionForm({ intent: "send-again", hiddenFields: { key } });
  return (
    <Card as="li" className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <strong>{label}</strong> {CHANNEL_NAMES[channel]}
        </p>
        <p className="facts text-sm text-soft">
          <span>
            To{" "}
            {username === null ? (
              "a deleted account"
            ) : (
              <TextLink to={`/admin/users/${username}`}>{username}</TextLink>
            )}
          </span>
          <Time at={at} show="both" />
        </p>
        <p className="text-sm wrap-anywhere">{reason}</p>
      </div>
      <ActionForm form={form}>
        <FormErrors form={form} />
        <Button type="submit" isLoading={form.isBusy}>
          Send again
        </Button>
      </ActionForm>
    </Card>
  );
}
