// The choice of the theme, stored in a cookie so that the server renders it. It is a form, so it also works on pages
// without scripts.
import { useLocation, useRevalidator } from "@remix-run/react";
import { THEMES, type Theme, themeCookie } from "~/domain/cookies";
import { useShell } from "~/hooks/use-shell";
import { isSecure, setCookie } from "./cookies";

const LABELS: Record<Theme, string> = { light: "Light", dark: "Dark", system: "Auto" };

export function ThemeChoice() {
  const { theme } = useShell();
  const { revalidate } = useRevalidator();
  const { pathname, search } = useLocation();
  const choose = (value: Theme) => {
    setCookie(themeCookie(isSecure(), value));
    document.documentElement.dataset.theme = value;
    revalidate();
  };
  return (
    <form method="post" action="/account/theme">
      <input type="hidden" name="next" value={pathname + search} />
      <fieldset className="flex rounded-md bg-sunken p-1">
        <legend className="sr-only">Theme</legend>
        {THEMES.map((value) => (
          <button
            key={value}
            type="submit"
            name="theme"
            value={value}
            aria-pressed={theme === value}
            onClick={(event) => {
              event.preventDefault();
              choose(value);
            }}
            className="theme-button"
          >
            {LABELS[value]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
