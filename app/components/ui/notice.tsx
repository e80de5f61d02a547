// A notice in the page: a refusal, a price, an event.
import clsx from "clsx";
import type { ReactNode } from "react";
import { Icon } from "~/components/pictures/icon";

export type NoticeProps = {
  tone?: "info" | "warning" | "error" | "success";
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Announced when it appears. */
  isLive?: boolean;
  className?: string;
};

const tones = {
  info: { boxClass: "border-dusk bg-dusk-wash", iconClass: "text-dusk", icon: "info" },
  warning: { boxClass: "border-ember bg-ember-wash", iconClass: "text-ember", icon: "warning" },
  error: { boxClass: "border-red bg-red-wash", iconClass: "text-red", icon: "close" },
  success: { boxClass: "border-pine bg-pine-wash", iconClass: "text-pine", icon: "check" },
} as const;

export function Notice({ tone = "info", title, children, action, isLive, className }: NoticeProps) {
  const { boxClass, iconClass, icon } = tones[tone];
  return (
    <div
      role={isLive ? (tone === "error" ? "alert" : "status") : undefined}
      className={clsx("notice", boxClass, className)}
    >
      <div className="flex min-w-0 flex-1 basis-60 flex-wrap items-start gap-x-3">
        <Icon name={icon} className={clsx("mt-0.5", iconClass)} />
        <div className="min-w-0 flex-1 basis-28">
          {title && <p className="font-semibold">{title}</p>}
          {children && <div>{children}</div>}
        </div>
      </div>
      {action}
    </div>
  );
}

export const Warning = (props: Omit<NoticeProps, "tone">) => <Notice tone="warning" {...props} />;
