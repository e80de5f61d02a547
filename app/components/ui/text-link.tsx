// A link inside text: underlined in the accent colour, prefetched on hover. Plain text for a guest who may not follow it.
import { Link, type LinkProps } from "@remix-run/react";
import clsx from "clsx";
import type { ReactNode } from "react";
import { useMayFollow } from "~/hooks/use-shell";

export const linkClass =
  "rounded-sm underline decoration-ember decoration-[1.5px] underline-offset-[0.2em] hover:text-ember";

export function TextLink({ className, prefetch = "intent", ...rest }: LinkProps) {
  if (!useMayFollow()(rest.to)) return <span className={className}>{rest.children}</span>;
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
