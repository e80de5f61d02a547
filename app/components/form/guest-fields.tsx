// The fields by which a host admits guests (H-17), to a session or to a turn in a series.
import { NumberField } from "~/components/form/number-field";
import { Checkbox } from "~/components/ui/choices";

type Props = { field: (name: string) => { name: string; defaultValue: string; error: string[] } };

export const GuestFields = ({ field }: Props) => (
  <div className="grid grid-cols-3 items-start gap-4">
    <Checkbox
      name="takesGuests"
      label="People with the link may sit in as guests"
      className="col-span-3 sm:col-span-2"
      hint="With a name only. Each guest costs you 1 token, and at most 1 more for what they write and log. Needs your confirmed address; not in private huts."
      defaultChecked={field("takesGuests").defaultValue !== ""}
    />
    <NumberField
      {...field("guestLimit")}
      label="Guests at most"
      isWhole
      hint="At most the participant limit."
      className="col-span-3 sm:col-span-1"
    />
  </div>
);
