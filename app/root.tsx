// The document of every page, with its styles, the frame and the error boundary.
import type { HeadersFunction, LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunction,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { PageErrorBoundary } from "~/components/layout/error-boundary";
import { Frame } from "~/components/layout/frame";
import { LinkPreviewMeta } from "~/components/layout/link-preview-meta";
import { useIsScriptless, useNonce } from "~/components/layout/nonce";
import { isStage, isStillStage } from "~/components/layout/stage-handle";
import { titleOfStatus } from "~/domain/error-titles";
import type { Shell } from "~/domain/viewer";
import { ShellContext, unknownShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { actToResumeOf } from "~/http/resume-after-sign-in.server";
import { returnedForm } from "~/http/returned-form.server";
import { toastOf } from "~/http/toast.server";
import { viewShell } from "~/use-cases/shell.server";
import styles from "./styles/app.css?url";
import bricolage from "./styles/fonts/bricolage-first.woff2?url";
import figtree from "./styles/fonts/figtree-first.woff2?url";

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await load(args, viewShell, { isFrame: true })),
  returned: returnedForm(args.request, args.context.app.user?.id),
  toast: toastOf(args.request),
  actToResume: actToResumeOf(args.context.app),
});

/**
 * After a refusal the frame does not reload, so that the form of an ended login stays filled in until the next login
 * (S-01).
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  actionResult?.ok !== false && defaultShouldRevalidate;

export const headers: HeadersFunction = ({ loaderHeaders, errorHeaders }) => errorHeaders ?? loaderHeaders;

export const links: LinksFunction = () => [
  { rel: "preload", href: figtree, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "preload", href: bricolage, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon-48.png", type: "image/png", sizes: "48x48" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  const name = data?.appName ?? "";
  if (!error) return [{ title: name }];
  const title = titleOfStatus(isRouteErrorResponse(error) ? error.status : 500);
  return [{ title: name ? `${title} · ${name}` : title }, { name: "robots", content: "noindex" }];
};

/** Aliases of pages, and the canonical URL for search engines. */
const ALIASES: Record<string, string> = { "/huts": "/groups", "/huts/create": "/groups/create" };

export function Layout({ children }: { children: ReactNode }) {
  const shell = useRouteLoaderData<Shell>("root") ?? unknownShell;
  const nonce = useNonce();
  const isScriptless = useIsScriptless();
  const { pathname } = useLocation();
  const address = shell.origin + (ALIASES[pathname] ?? pathname);
  return (
    <ShellContext.Provider value={shell}>
      <html lang="en" data-theme={shell.theme}>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          {shell.theme !== "dark" && (
            <meta
              name="theme-color"
              content="#f6f3ee"
              media={shell.theme === "system" ? "(prefers-color-scheme: light)" : undefined}
            />
          )}
          {shell.theme !== "light" && (
            <meta
              name="theme-color"
              content="#11151c"
              media={shell.theme === "system" ? "(prefers-color-scheme: dark)" : undefined}
            />
          )}
          <Meta />
          <link rel="canonical" href={address} />
          <meta property="og:site_name" content={shell.appName} />
          <meta property="og:url" content={address} />
          <LinkPreviewMeta />
          <Links />
          {import.meta.env.SSR && <StageRefresh />}
        </head>
        <body>
          {children}
          {!isScriptless && (
            <>
              <ScrollRestoration nonce={nonce} />
              <Scripts nonce={nonce} />
            </>
          )}
        </body>
      </html>
    </ShellContext.Provider>
  );
}

/** Without scripts a stage loads again each minute (J-13). Only the server renders stages. */
const StageRefresh = () =>
  useMatches().some(({ handle }) => isStillStage(handle)) && (
    <noscript>
      <meta httpEquiv="refresh" content="60" />
    </noscript>
  );

/** A stage fills the screen (J-08). */
const useIsStage = () => useMatches().some(({ handle }) => isStage(handle));

export default function Root() {
  if (useIsStage()) return <Outlet />;
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  return (
    <Frame>
      <PageErrorBoundary />
    </Frame>
  );
}
