// A face made from a name: always the same for the same name, nothing fetched from anywhere.
import clsx from "clsx";

/** FNV-1a: the same small number for the same name, on server and browser. */
export function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name.toLowerCase()) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  return hash >>> 0;
}

// Ground, hair and skin as dusk, moor and lamplight; chosen to stand on both themes.
const grounds = ["#c9dbe8", "#d9e4cf", "#f3d9b8", "#e6d3e3", "#cfe3dd", "#ead9c9", "#d5d9ee", "#f0cfc4"];
const skins = ["#f6d7bd", "#e8b892", "#c98f66", "#a46a45", "#7c4b31", "#f0c9a6"];
const hairs = ["#2b211c", "#5a3a25", "#8f5a2c", "#c68a3d", "#6b6f78", "#3c3350", "#a2432b"];
const coats = ["#8a3d1d", "#1f6a4a", "#2c5c96", "#6a4a86", "#8a6a1d", "#4b535f", "#a03a4c"];
const hairShapes = [
  "M14 29c-1-12 5-18 18-18s19 6 18 18c-3-7-8-9-12-10-7 2-17 1-24 10Z",
  "M13 34c-3-16 5-24 19-24s22 8 19 24c0-8-4-13-9-15-9 3-20 1-24 5-3 3-4 6-5 10Z",
  "M15 26c0-9 7-15 17-15s17 6 17 15c-5-5-10-7-17-7s-12 2-17 7Z",
  "M13 44c-4-20 2-34 19-34s23 14 19 34c-2 1-4 0-5-1 1-9 0-17-5-22-6 3-14 3-19 0-4 5-5 13-4 22-1 1-3 2-5 1Z",
  "M14 27c-2-3-1-7 2-8 0-4 4-7 8-6 3-4 9-4 12 0 4-2 9 1 9 5 4 1 5 6 3 9-4-5-9-7-17-7s-13 2-17 7Z",
  "",
];
const hats = [
  "",
  "",
  "",
  "",
  "M13 24c1-10 8-15 19-15s18 5 19 15c-12-3-26-3-38 0Z",
  "M10 25c4-3 10-4 22-4s18 1 22 4l-6 1c-10-2-22-2-32 0Z M19 21c0-8 5-12 13-12s13 4 13 12Z",
];
const mouths = ["M27 42q5 4 10 0", "M28 42q4 2.5 8 0", "M27 41q5 6 10 0Z", "M29 43h6"];

export type AvatarProps = {
  name: string;
  /** Pixels. */
  size?: number;
  /** Says who it is; leave away where the name stands beside. */
  label?: string;
  /** A ring: here and now. */
  isOnline?: boolean;
  /** The glow: it is their turn. */
  isTheirTurn?: boolean;
  className?: string;
};

export function Avatar({ name, size = 40, label, isOnline, isTheirTurn, className }: AvatarProps) {
  const n = numberOf(name);
  const pick = <T,>(from: readonly T[], shift: number): T | undefined => from[(n >>> shift) % from.length];
  const hair = pick(hairs, 9);
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={clsx(
        "shrink-0 rounded-full",
        isTheirTurn
          ? "shadow-[0_0_0_2px_var(--paper),0_0_0_5px_var(--glow),0_0_18px_4px_var(--glow)]"
          : isOnline && "shadow-[0_0_0_2px_var(--paper),0_0_0_4px_var(--pine)]",
        className,
      )}
    >
      <rect width="64" height="64" rx="32" fill={pick(grounds, 0)} />
      <path d="M10 64c1-11 9-17 22-17s21 6 22 17Z" fill={pick(coats, 12)} />
      <path d="M27 40h10v9q-5 5-10 0Z" fill={pick(skins, 4)} />
      <ellipse cx="32" cy="32" rx="14.5" ry="16.5" fill={pick(skins, 4)} />
      <path d={pick(hairShapes, 6)} fill={hair} />
      <path d={pick(hats, 18)} fill={pick(coats, 21)} />
      <g fill="none" stroke="#2b211c" strokeWidth="1.9" strokeLinecap="round">
        <path
          d={(n >>> 15) % 5 === 0 ? "M25 33.500h3M36 33.500h3" : "M26.5 32.500v1.800M37.5 32.500v1.8"}
          strokeWidth="2.6"
        />
        <path d={pick(mouths, 3)} />
        {(n >>> 16) % 6 === 0 && (
          <path
            d="M21.5 33a5 5 0 1 0 10 0 5 5 0 1 0-10 0M32.5 33a5 5 0 1 0 10 0 5 5 0 1 0-10 0"
            strokeWidth="1.5"
          />
        )}
      </g>
    </svg>
  );
}
