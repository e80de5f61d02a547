// The notice under the header when another tab has signed in somebody else. The server then stores nothing from this page
//
import type { usePageOwner } from "~/hooks/made-for";

export function OwnerNotice({
  otherOwner,
  formerUsername,
}: Pick<ReturnType<typeof usePageOwner>, "otherOwner" | "formerUsername">) {
  return (
    <div role="status" className="sticky top-15 z-20 short:top-0">
      {otherOwner && (
        <p className="owner-notice">
          <span className="py-2">
            {otherOwner.username === null
              ? "You are signed out now."
              : `You are signed in as ${otherOwner.username} now.`}{" "}
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
