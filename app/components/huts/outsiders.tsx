// The part of a hut's form about outsiders with seats or series in the hut, before it becomes private (R-87).
import { Checkbox } from "~/components/ui/choices";
import type { Outside } from "~/domain/huts/huts";
import type { ActionFormState } from "~/hooks/form/use-action-form";
import { countNoun } from "./count-noun";

/** Only the hut's owner may take over the outsiders' sessions and series, because the owner pays. */
export function Outsiders({
  outside: { people, guests, sessions, series },
  isOwner,
  form,
}: {
  outside: Outside;
  isOwner: boolean;
  form: ActionFormState;
}) {
  if (people === 0) return null;
  const hosted = [
    ...(sessions > 0 ? [countNoun(sessions, "session", "sessions")] : []),
    ...(series > 0 ? [countNoun(series, "series", "series")] : []),
  ].join(" and ");
  const isSingular = sessions + series === 1;
  return (
    <section className="flex flex-col gap-2 border-l-2 ps-4">
      <p>
        {countNoun(people, "person", "people")} outside this hut {people === 1 ? "has" : "have"} seats or
        places in its sessions. If it becomes private, they lose those of sessions that have not begun, and
        their tokens are returned.
        {guests > 0 &&
          ` ${guests} of them ${guests === 1 ? "is a guest, who cannot become a member" : "are guests, who cannot become members"}.`}
        {hosted &&
          ` ${hosted} of theirs ${isSingular ? "leaves" : "leave"} the hut, and ${isSingular ? "opens" : "open"} only to people with a seat${isOwner ? `, unless you take ${isSingular ? "it" : "them"} over` : ""}.`}
      </p>
      {people > guests && (
        <Checkbox
          name="admitsOutsiders"
          defaultChecked={form.shownValue("admitsOutsiders") !== ""}
          label="Make them members when it becomes private"
        />
      )}
      {hosted && isOwner && (
        <Checkbox
          name="takesOver"
          defaultChecked={form.shownValue("takesOver") !== ""}
          label={`Take over ${hosted}`}
          hint="Those of hosts who stay outside: you host them in the hut from then on. A seat in a session that has not begun costs a token, and joining is not free any more."
        />
      )}
    </section>
  );
}
