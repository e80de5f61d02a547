// A filter of a list as a link: filled while it is on, and a press then removes it.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import { Icon } from "~/components/pictures/icon";

/** `isAll`: the chip of the whole list, which nothing removes. */
type Props = { to: string; isOn: boolean; label: string; isAll?: boolean };

export function FilterChip({ to, isOn, label, isAll = false }: Props) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={isOn ? "true" : undefined}
      className={clsx(
        "inline-flex min-h-11 items-center gap-1 rounded-full border px-3.5 text-sm font-medium",
        isOn ? "border-ink bg-ink text-paper" : "border-edge bg-surface text-soft hover:bg-sunken",
      )}
    >
      {label}
      {isOn && !isAll && <Icon name="close" className="size-4!" />}
    </Link>
  );
}
