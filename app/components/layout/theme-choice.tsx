// Light, dark, or as the system; stored in a cookie, so that the server renders the right one.
import { useRevalidator } from "@remix-run/react";
import { readableCookie } from "~/domain/cookies";
import type { Shell } from "~/domain/viewer";
import { useShell } from "~/hooks/use-shell";

const YEAR_SECONDS = 31_536_000;
const themes: readonly { value: Shell["theme"]; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "Auto" },
];

export function ThemeChoice() {
  const { theme } = useShell();
  const { revalidate } = useRevalidator();
  const choose = (value: Shell["theme"]) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not everywhere yet.
    document.cookie = readableCookie(location.protocol === "https:", "theme", value, YEAR_SECONDS);
    document.documentElement.dataset.theme = value;
    revalidate();
  };
  return (
    <fieldset className="needs-script flex rounded-md bg-sunken p-1">
      <legend className="sr-only">Theme</legend>
      {themes.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={theme === value}
          onClick={() => choose(value)}
          className="min-h-11 flex-1 rounded-sm px-3 text-sm font-medium text-soft hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-card"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
