// Our own line drawings. Lines take the text colour; the one warm thing in each is `--glow`.
import clsx from "clsx";
import type { ReactNode } from "react";

export type DrawingName = "hut" | "lamp" | "path" | "kettle" | "hills";

const drawings: Record<DrawingName, { box: string; lines: ReactNode; glow: ReactNode }> = {
  hut: {
    box: "0 0 240 140",
    glow: (
      <>
        <path d="M104 84h18v20h-18z" />
        <path d="M113 84v20M104 94h18" stroke="var(--paper)" strokeWidth="2" />
        <path d="m100 112-16 22h60l-18-22Z" opacity=".16" />
      </>
    ),
    lines: (
      <>
        <path d="M4 118c24-3 42-4 66-4M168 114c26 0 46 2 68 5" />
        <path d="M78 114V74M164 114V74M66 80l54-38 56 38" />
        <path d="M78 114h86M138 114V86h15v28" />
        <path d="M146 57V40h11v25" />
        <path d="M152 33c-4-5 5-8 1-14 6 2 8-4 5-9" opacity=".7" />
        <path
          d="M8 94c18-14 28-26 42-41 10 10 18 15 24 25M172 78c14-15 24-30 36-37 10 12 18 28 28 40"
          opacity=".45"
        />
        <path d="M20 126h22M54 132h30M178 130h34M120 128h14" opacity=".55" />
        <path d="M42 20v6M39 23h6M206 16v6M203 19h6M98 12v4M96 14h4" opacity=".6" />
      </>
    ),
  },
  lamp: {
    box: "0 0 240 140",
    glow: (
      <>
        <circle cx="120" cy="78" r="46" opacity=".13" />
        <path d="M120 94c-8-3-11-9-9-15 2-5 6-7 7-14 6 4 12 11 12 18 0 6-4 10-10 11Z" />
      </>
    ),
    lines: (
      <>
        <path d="M100 60c-6 6-9 13-9 20s4 15 10 20h38c6-5 10-13 10-20s-3-14-9-20Z" />
        <path d="M98 100h44l5 12H93ZM104 60l5-12h22l5 12M109 48l3-8h16l3 8" />
        <path d="M98 50c-16 10-22 32-14 58M142 50c16 10 22 32 14 58" opacity=".5" />
        <path d="M120 40v-8M112 28a8 8 0 0 1 16 0" />
        <path d="M34 126h172" />
        <path d="M60 78h10M64 52l9 5M170 78h10M167 57l9-5" opacity=".55" />
      </>
    ),
  },
  path: {
    box: "0 0 240 140",
    glow: <path d="M154 44h7v8h-7z" />,
    lines: (
      <>
        <path d="M6 70c26-6 42-22 62-34 16 8 30 22 48 24 22-2 40-14 60-30 18 10 34 26 58 34" opacity=".5" />
        <path d="M146 54V40l10-8 10 8v14Z" />
        <path d="M142 58c-14 5-22 9-20 14 3 7 26 8 24 18-3 13-46 12-52 40M156 57c-10 5-14 9-10 14 6 7 32 10 30 24-2 12-28 16-30 36" />
        <path d="M46 118V84M46 88h26l6 6-6 6H46M46 104H28l-5 5 5 5h18" />
        <path d="M36 118h20M190 112c2-8 6-8 8 0M200 118c2-6 5-6 7 0M20 130h16M206 130h18" opacity=".6" />
      </>
    ),
  },
  kettle: {
    box: "0 0 240 140",
    glow: (
      <>
        <path d="M98 130c-2-8 6-10 6-18 7 4 8 9 12 4 2-4 1-7 0-9 9 4 16 12 15 23Z" />
        <ellipse cx="116" cy="128" rx="54" ry="9" opacity=".14" />
      </>
    ),
    lines: (
      <>
        <path d="M84 96c-6-8-8-17-6-26 3-12 17-20 38-20s35 8 38 20c2 9 0 18-6 26Z" />
        <path d="M104 50c0-5 5-8 12-8s12 3 12 8M116 42v-6" />
        <path d="M154 68c10 0 14-4 18-14l10 4c-6 18-14 28-30 28" />
        <path d="M84 58C78 30 96 16 116 16s38 14 32 42" opacity=".7" />
        <path d="M186 46c-4-6 5-8 1-15 6 2 7-5 4-9M197 50c-2-4 3-6 1-10" opacity=".6" />
        <path d="M78 132l76-8M80 122l74 12" />
        <path d="M30 134h40M164 134h46" />
      </>
    ),
  },
  hills: {
    box: "0 0 240 140",
    glow: <circle cx="92" cy="62" r="11" />,
    lines: (
      <>
        <path d="M4 104c20-8 34-32 54-50 14 10 22 24 34 32 12-16 22-28 34-38" />
        <path
          d="M92 86c8 8 14 14 22 18M126 48c6-5 10-8 12-9 10 10 14 20 22 30 12 14 24 24 40 32 14 4 24 5 36 6"
          opacity=".8"
        />
        <path d="M4 124c40-14 76-16 116-10 42 6 76 8 116 2" />
        <path d="M50 61c4 6 6 8 8 16M132 46c4 8 10 10 12 20" opacity=".5" />
        <path d="M30 132h24M150 128h30M96 126h14" opacity=".55" />
        <path d="M190 24q4-4 7 0 4-4 7 0M206 36q3-3 5 0 3-3 5 0" opacity=".7" />
      </>
    ),
  },
};

export function Drawing({
  name,
  className,
  label,
}: {
  name: DrawingName;
  className?: string;
  label?: string;
}) {
  const { box, lines, glow } = drawings[name];
  return (
    <svg
      viewBox={box}
      className={clsx("max-w-full", className)}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <g fill="var(--glow)">{glow}</g>
      <g fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        {lines}
      </g>
    </svg>
  );
}
