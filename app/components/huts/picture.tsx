// The picture of a hut, derived from its address: sky, ridge, meadow and house, from pictures.svg.
import clsx from "clsx";
import sheet from "~/components/pictures/pictures.svg?url";
import { hashOfName } from "~/domain/name-hash";

// Colours of sky, orb, ridge and meadow that contrast with each other in both themes.
const skies = ["#c9dbe8", "#f3d9b8", "#e6d3e3", "#cfe3dd", "#d5d9ee", "#f0cfc4"];
const orbs = ["#fff6dd", "#f7b267", "#e98a5b"];
const ridges = ["#6f8aa3", "#7d7596", "#5f8f86", "#8d7a6b", "#5b7389"];
const meadows = ["#6f8f5a", "#8a9a55", "#55806a", "#a08a52"];
const ORB_COUNT = 3;
const RIDGE_COUNT = 4;
const CABIN_COUNT = 3;

type Props = ({ slug: string } | { seed: number }) & { className?: string };

/** An outsider gets the number in place of the address. */
export function HutPicture({ className, ...hut }: Props) {
  const seed = "seed" in hut ? hut.seed : hashOfName(hut.slug);
  const pick = (colours: readonly string[], shift: number) => colours[(seed >>> shift) % colours.length];
  const parts = [
    [`orb${(seed >>> 4) % ORB_COUNT}`, pick(orbs, 7)],
    [`ridge${(seed >>> 10) % RIDGE_COUNT}`, pick(ridges, 13)],
    ["meadow", pick(meadows, 17)],
    [`cabin${(seed >>> 21) % CABIN_COUNT}`, undefined],
  ] as const;
  return (
    <svg
      viewBox="0 0 64 64"
      aria-hidden="true"
      className={clsx("shrink-0 rounded-md", className)}
      style={{ background: pick(skies, 0) }}
    >
      {parts.map(([part, color]) => (
        <use key={part} href={`${sheet}#${part}`} color={color} />
      ))}
    </svg>
  );
}
