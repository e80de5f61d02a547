// An avatar derived from a name: the same face for the same name, composed from pictures.svg without a request elsewhere.
import clsx from "clsx";
import sheet from "~/components/pictures/pictures.svg?url";
import { hashOfName } from "~/domain/name-hash";

// Background, skin, hair and coat colours; chosen for contrast in both themes.
const backgrounds = ["#c9dbe8", "#d9e4cf", "#f3d9b8", "#e6d3e3", "#cfe3dd", "#ead9c9", "#d5d9ee", "#f0cfc4"];
const skins = ["#f6d7bd", "#e8b892", "#c98f66", "#a46a45", "#7c4b31", "#f0c9a6"];
const hairs = ["#2b211c", "#5a3a25", "#8f5a2c", "#c68a3d", "#6b6f78", "#3c3350", "#a2432b"];
const coats = ["#8a3d1d", "#1f6a4a", "#2c5c96", "#6a4a86", "#8a6a1d", "#4b535f", "#a03a4c"];
/** No shape or look has a beard or glasses, because a name does not tell who has them. */
const HAIR_SHAPE_COUNT = 5;
const LOOK_COUNT = 4;
/** Two of six avatars wear a hat. */
const HAT_CHOICES = 6;
const HAT_COUNT = 2;

export type AvatarProps = {
  name: string;
  /** Pixels. */
  size?: number;
  /** The name; omitted when the name is beside the avatar. */
  label?: string;
  /** Draws the ring of a person who is online. */
  isOnline?: boolean;
  /** Draws the glow of a person whose turn it is. */
  isTheirTurn?: boolean;
  className?: string;
};

export function Avatar({ name, size = 40, label, isOnline, isTheirTurn, className }: AvatarProps) {
  const hash = hashOfName(name);
  const pick = (colours: readonly string[], shift: number) => colours[(hash >>> shift) % colours.length];
  const hatIndex = (hash >>> 18) % HAT_CHOICES;
  const parts: [string, string | undefined][] = [
    ["coat", pick(coats, 12)],
    ["skin", pick(skins, 4)],
    [`hair${(hash >>> 6) % HAIR_SHAPE_COUNT}`, pick(hairs, 9)],
    [`look${(hash >>> 15) % LOOK_COUNT}`, undefined],
    ...(hatIndex < HAT_COUNT ? [[`hat${hatIndex}`, pick(coats, 21)] as [string, string | undefined]] : []),
  ];
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={clsx("avatar", isOnline && "is-online", isTheirTurn && "has-turn", className)}
      style={{ background: pick(backgrounds, 0) }}
    >
      {parts.map(([part, color]) => (
        <use key={part} href={`${sheet}#${part}`} color={color} />
      ))}
    </svg>
  );
}
