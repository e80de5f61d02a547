// The footer of every page (U-01, U-02).
import { Link } from "@remix-run/react";
import { useShell } from "~/hooks/use-shell";
import { ThemeChoice } from "./theme-choice";

const links = [
  { to: "/about", label: "About" },
  { to: "/terms-of-service", label: "Terms of Service" },
  { to: "/privacy-policy", label: "Privacy Policy" },
];

export function Footer() {
  const { appName, viewer, home, isPracticeProvider } = useShell();
  return (
    <footer className="mt-4 border-t border-line">
      <div className="footer-row">
        <p>
          {appName} is in development. Things still change.
          {isPracticeProvider && " Payments here are practice: no money moves."}
        </p>
        <nav aria-label="About">
          <ul className="-mx-1 flex flex-wrap sm:-mx-2">
            {links.map((link) => (
              <li key={link.to}>
                <Link to={link.to} prefetch="intent" className="footer-link">
                  {link.label}
                </Link>
              </li>
            ))}
            {home === "/" && (
              <li className="needs-script">
                <Link to="/?tour=welcome" className="footer-link">
                  Welcome tour
                </Link>
              </li>
            )}
          </ul>
        </nav>
        {!viewer && (
          <div className="sm:ms-auto">
            <ThemeChoice />
          </div>
        )}
      </div>
    </footer>
  );
}
