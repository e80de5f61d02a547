// A word in a small box: a category, a state, a count.
import clsx from "clsx";
import type { ReactNode } from "react";

export type Tone = "neutral" | "ember" | "pine" | "dusk" | "red";

const tones: Record<Tone, string> = {
  neutral: "bg-sunken text-soft",
  ember: "bg-ember-wash text-ember",
  pine: "bg-pine-wash text-pine",
  dusk: "bg-dusk-wash text-dusk",
  red: "bg-red-wash text-red",
};

export function Badge({
  tone = "neutral",
  className,
  children,
}: {
  tone?: Tone;
  className?: string;
  children: ReactNode;
}) {
  return <span className={clsx("badge", tones[tone], className)}>{children}</span>;
}
