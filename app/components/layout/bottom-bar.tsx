// On phones: the five places one goes to most, under the thumb.
import { Link, NavLink } from "@remix-run/react";
import clsx from "clsx";
import type { ReactNode } from "react";
import { useShell } from "~/hooks/use-shell";
import { useModalPath } from "./modals";

const shapes: Record<string, ReactNode> = {
  Home: <path d="M3 11 12 4l9 7M6 9.500V20h12V9.500M10 20v-5h4v5" />,
  Sessions: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.500V12l3 2" />
    </>
  ),
  Goals: <path d="M5 20V4M5 5h12l-2.5 4L17 13H5" />,
  Huts: <path d="m2.5 19 6.5-11 4 6.500M10.5 19l5-8 6 8Z" />,
  You: (
    <>
      <circle cx="12" cy="8.5" r="3.5" />
      <path d="M5 20c.6-4 3.3-6 7-6s6.4 2 7 6" />
    </>
  ),
};

const look = (isActive: boolean) =>
  clsx(
    "flex h-16 flex-col items-center justify-center gap-0.5 text-sm font-medium",
    isActive ? "text-ink [&>svg]:text-ember" : "text-soft",
  );

export function BottomBar() {
  const { viewer } = useShell();
  const modalPath = useModalPath();
  const places = [
    { label: "Home", to: "/" },
    { label: "Sessions", to: "/events" },
    { label: "Goals", to: "/my/goals" },
    { label: "Huts", to: "/groups" },
  ];
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid grid-cols-5">
        {places.map((place) => (
          <li key={place.to}>
            <NavLink to={place.to} end={place.to === "/"} className={({ isActive }) => look(isActive)}>
              <Shape name={place.label} />
              {place.label}
            </NavLink>
          </li>
        ))}
        <li>
          {viewer ? (
            <NavLink to="/account" className={({ isActive }) => look(isActive)}>
              <Shape name="You" />
              You
            </NavLink>
          ) : (
            <Link to={modalPath("auth", "login")} preventScrollReset className={look(false)}>
              <Shape name="You" />
              Login
            </Link>
          )}
        </li>
      </ul>
    </nav>
  );
}

const Shape = ({ name }: { name: string }) => (
  <svg
    viewBox="0 0 24 24"
    className="size-6"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {shapes[name]}
  </svg>
);
