// The people outside a hut who hold something in it, before the hut becomes private.
import { Checkbox } from "~/components/ui/choices";
import type { Outside } from "~/domain/huts/huts";

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

export function Outsiders({ outside, isPrivate }: { outside: Outside; isPrivate: boolean }) {
  const { people, sessions, series } = outside;
  if (isPrivate || people === 0) return null;
  return (
    <section className="flex flex-col gap-2 border-l-2 ps-4">
      <p>
        {count(people, "person", "people")} outside this hut {people === 1 ? "has" : "have"} seats or places
        in its sessions. If it becomes private, they lose those of sessions that have not begun, and their
        tokens are returned.
        {sessions + series > 0 &&
          ` ${count(sessions, "session", "sessions")} and ${count(series, "series", "series")} of theirs leave the hut, for the people with a seat alone.`}
      </p>
      <Checkbox name="admitsOutsiders" label="Make them members when it becomes private" />
    </section>
  );
}
