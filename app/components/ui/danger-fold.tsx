// A fold around something that deletes for good: it explains the consequences before its form.
import type { ReactNode } from "react";
import { Icon } from "~/components/pictures/icon";

export const DangerFold = ({
  title,
  isOpen,
  children,
}: {
  title: string;
  isOpen: boolean;
  children: ReactNode;
}) => (
  <details open={isOpen} className="group rounded-md border border-red bg-raised open:bg-red-wash">
    <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 py-2 font-semibold text-red marker:content-none">
      <Icon name="right" className="transition-transform group-open:rotate-90" />
      {title}
    </summary>
    {children}
  </details>
);
