// A notice under the header when another tab has signed in somebody else: this page sends nothing for them.
import type { usePageOwner } from "~/hooks/made-for";

export function OwnerNotice({
  now,
  formerUsername,
}: Pick<ReturnType<typeof usePageOwner>, "now" | "formerUsername">) {
  return (
    <div role="status" className="sticky top-15 z-20 short:top-0">
      {now && (
        <p className="flex flex-wrap items-center justify-center gap-x-4 border-b border-line bg-ember-wash px-4 text-sm text-ink">
          <span className="py-2">
            {now.username === null ? "You are signed out now." : `You are signed in as ${now.username} now.`}{" "}
            This page still belongs to {formerUsername}, and what you send from it is not stored.
          </span>
          <a
            href={location.pathname + location.search}
            className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
          >
            Reload the page
          </a>
        </p>
      )}
    </div>
  );
}
