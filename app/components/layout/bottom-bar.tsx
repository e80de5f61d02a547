// The bottom bar on phones: five links within reach of the thumb.
import { Link, NavLink, useLocation } from "@remix-run/react";
import { Icon, type IconName } from "~/components/pictures/icon";
import { useShell } from "~/hooks/use-shell";
import { useModalPath } from "./modal-outlet";
import { isWithin } from "./navigation-links";

const linkClass = (isActive: boolean) => (isActive ? "bottom-link is-here" : "bottom-link");

export function BottomBar() {
  const { viewer } = useShell();
  const modalPath = useModalPath();
  const { pathname } = useLocation();
  const links: { label: string; to: string; icon: IconName }[] = [
    { label: "Home", to: "/", icon: "home" },
    { label: "Sessions", to: "/events", icon: "timer" },
    { label: "Goals", to: "/my/goals", icon: "flag" },
    { label: "Huts", to: "/groups", icon: "hills" },
  ];
  return (
    <nav aria-label="Main" className="bottom-bar @container">
      <ul className="grid grid-cols-5">
        {links.map((link) => (
          <li key={link.to}>
            <NavLink
              to={link.to}
              end={link.to === "/"}
              className={({ isActive }) => linkClass(isActive || isWithin(link.to, pathname))}
            >
              <Icon name={link.icon} className="is-large" />
              <span>{link.label}</span>
            </NavLink>
          </li>
        ))}
        <li>
          {viewer ? (
            <NavLink to="/account" className={({ isActive }) => linkClass(isActive)}>
              <Icon name="person" className="is-large" />
              <span>You</span>
            </NavLink>
          ) : (
            <Link to={modalPath("auth", "login")} preventScrollReset className={linkClass(false)}>
              <Icon name="person" className="is-large" />
              <span>Login</span>
            </Link>
          )}
        </li>
      </ul>
    </nav>
  );
}
