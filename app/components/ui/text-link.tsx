// A link inside text: underlined in the accent colour, prefetched on hover.
import { Link, type LinkProps } from "@remix-run/react";
import clsx from "clsx";
import type { ReactNode } from "react";

export const linkClass =
  "rounded-sm underline decoration-ember decoration-[1.5px] underline-offset-[0.2em] hover:text-ember";

export function TextLink({ className, prefetch = "intent", ...rest }: LinkProps) {
  return <Link prefetch={prefetch} className={clsx(linkClass, className)} {...rest} />;
}

/** A link to another site, in the same tab, without a referrer. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} rel="noreferrer" className={linkClass}>
      {children}
    </a>
  );
}
