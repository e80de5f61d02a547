// Something to know before going on, in the page: why one cannot, what it costs, what happened.
import clsx from "clsx";
import type { ReactNode } from "react";

export type NoticeProps = {
  tone?: "info" | "warning" | "error" | "success";
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Read out when it appears. */
  isLive?: boolean;
  className?: string;
};

const tones = {
  info: { look: "border-dusk bg-dusk-wash", mark: "text-dusk", shape: "M10 9v6M10 5.200v.1" },
  warning: {
    look: "border-ember bg-ember-wash",
    mark: "text-ember",
    shape: "M10 2.8 18 17H2ZM10 8v4M10 14.500v.1",
  },
  error: { look: "border-red bg-red-wash", mark: "text-red", shape: "M6 6l8 8M14 6l-8 8" },
  success: { look: "border-pine bg-pine-wash", mark: "text-pine", shape: "M4 10.5 8 14.5 16 5.5" },
};

export function Notice({ tone = "info", title, children, action, isLive, className }: NoticeProps) {
  const { look, mark, shape } = tones[tone];
  return (
    <div
      role={isLive ? (tone === "error" ? "alert" : "status") : undefined}
      className={clsx(
        "flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border-s-4 px-4 py-3",
        look,
        className,
      )}
    >
      <div className="flex min-w-0 flex-1 basis-60 items-start gap-3">
        <svg
          viewBox="0 0 20 20"
          className={clsx("mt-0.5 size-5 shrink-0", mark)}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d={shape} />
        </svg>
        <div className="min-w-0">
          {title && <p className="font-semibold">{title}</p>}
          {children && <div>{children}</div>}
        </div>
      </div>
      {action}
    </div>
  );
}

/** A Notice that warns. */
export const Warning = (props: Omit<NoticeProps, "tone">) => <Notice tone="warning" {...props} />;
