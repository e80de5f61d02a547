// Every component in every state, in both themes; on local runs only. The accessibility and picture tests use it too.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Controls } from "~/components/styleguide/controls";
import { Foundations } from "~/components/styleguide/foundations";
import { Messages } from "~/components/styleguide/messages";
import { Navigation } from "~/components/styleguide/navigation";
import { Timers } from "~/components/styleguide/timers";
import { AppError } from "~/domain/errors";
import { load } from "~/http/load.server";

/** `?answer=403` throws this error, so that its page can be seen. */
const ERRORS_BY_STATUS = new Map<string, () => Error>([
  ["401", () => new AppError("UNAUTHENTICATED")],
  ["403", () => new AppError("FORBIDDEN")],
  ["404", () => new AppError("NOT_FOUND")],
  ["409", () => new AppError("CONFLICT")],
  ["429", () => new AppError("RATE_LIMITED", undefined, { retryAfter: 60 })],
  ["500", () => new Error("Asked for by the styleguide.")],
]);

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (app) => {
    if (!app.settings.isLocalRun) throw new AppError("NOT_FOUND");
    const error = ERRORS_BY_STATUS.get(new URL(args.request.url).searchParams.get("answer") ?? "");
    if (error) throw error();
    return { madeAt: app.now };
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Styleguide",
    description: "Every component in every state, both themes.",
    more: [{ name: "robots", content: "noindex" }],
  });

const THEMES = ["light", "dark"] as const;

export default function Styleguide() {
  return (
    <Page title="Styleguide" intro="Every component in every state, in both themes.">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,29rem),1fr))] gap-6">
        {THEMES.map((theme) => (
          <div
            key={theme}
            data-theme={theme}
            className="flex min-w-0 flex-col gap-12 rounded-xl border border-line bg-paper px-2 py-4 text-ink max-sm:-mx-2 sm:p-6"
          >
            <h2 className="text-xl">{theme === "light" ? "Day" : "Night"}</h2>
            <Timers />
            <Foundations />
            <Controls theme={theme} />
            <Messages />
            <Navigation theme={theme} />
          </div>
        ))}
      </div>
    </Page>
  );
}
