// The error page for a browser that cannot load the chunk of the real one.
import { titleOfStatus } from "~/domain/error-titles";

export function FallbackErrorPage() {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-4 px-4 py-16 text-center">
      <h1 className="text-2xl">{titleOfStatus("offline")}</h1>
      <p className="text-lg text-soft">
        This page could not be reached. Please try again when you are online.
      </p>
      <a
        href={typeof location === "undefined" ? "/" : location.href}
        className="min-h-11 font-semibold text-ember underline"
      >
        Try again
      </a>
    </div>
  );
}
