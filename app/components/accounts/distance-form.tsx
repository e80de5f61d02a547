// The choice between kilometres and miles (H-07).
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import { DISTANCE_UNITS, type DistanceUnit, unitOfLocale } from "~/domain/distances";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";

const NAMES: Record<DistanceUnit, string> = { km: "Kilometres", mi: "Miles" };

export function DistanceForm({ unit }: { unit: DistanceUnit | null }) {
  const form = useActionForm({ intent: "distance-unit" });
  const { error, ...field } = form.field("unit", unit ?? "");
  const defaultName = NAMES[unitOfLocale(useShell().locale)];
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <Field label="Unit of distances" error={error}>
        <Select
          {...field}
          options={[
            { value: "", label: `As in your language (${defaultName.toLowerCase()})` },
            ...DISTANCE_UNITS.map((value) => ({ value, label: NAMES[value] })),
          ]}
        />
      </Field>
      <SubmitRow form={form}>Save unit</SubmitRow>
    </ActionForm>
  );
}
