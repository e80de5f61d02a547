// Asks the holder of a standing seat for the new code of the series.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import type { Instant } from "~/domain/time";
import { useActionForm } from "~/hooks/form/use-action-form";
import type { ActResult } from "~/wire/act";

type Props = {
  seriesId: number;
  /** When the standing seat ends if the holder does not give the code. */
  until: Instant;
  /** The address of the form, if it is not this page's. */
  action?: string;
  posted?: ActResult | undefined;
};

export function StandingCode({ seriesId, until, action, posted }: Props) {
  const form = useActionForm({
    intent: "standing.take",
    hiddenFields: { series: seriesId },
    ...(action === undefined ? {} : { action }),
    posted,
  });
  return (
    <Notice tone="warning" title="This series has another join code">
      <p>
        Without it you get no new seat, and you stop joining every time on <Time at={until} look="auto" />.
      </p>
      <ActionForm form={form} className="mt-3 flex flex-col gap-3">
        <Field label="Join Code" error={form.errorsOf("joinCode")} className="max-w-xs">
          <TextInput name="joinCode" autoComplete="off" autoCapitalize="none" />
        </Field>
        <FormErrors form={form} />
        <Button type="submit" className="self-start" isLoading={form.isBusy}>
          Give the code
        </Button>
      </ActionForm>
    </Notice>
  );
}
