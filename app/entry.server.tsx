// Renders a page on the server: streamed to people, complete to bots; every script carries the nonce.
import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { loadLater } from "~/components/layout/later";
import { NonceContext, ScriptlessContext } from "~/components/layout/nonce";
import { scriptsAfterLooks, startLater, startOf } from "~/http/scripts.server";
import { deleteToast } from "~/http/toast.server";

const GIVE_UP_AFTER_MS = 8000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { nonce } = context;
  const start = startOf(remix, new URL(request.url));
  const isScriptless = start === "never";
  await loadLater();
  let finalStatus = status;
  let isShellSent = false;
  const body = await renderToReadableStream(
    <NonceContext.Provider value={nonce}>
      <ScriptlessContext.Provider value={isScriptless}>
        <RemixServer context={remix} url={request.url} nonce={nonce} abortDelay={GIVE_UP_AFTER_MS} />
      </ScriptlessContext.Provider>
    </NonceContext.Provider>,
    {
      nonce,
      signal: request.signal,
      onError(error: unknown) {
        if (request.signal.aborted) return;
        if (!isShellSent) finalStatus = 500;
        const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
        console.error(JSON.stringify({ event: "page-not-rendered", error: trace }));
      },
    },
  );
  isShellSent = true;

  // React would send what is late by scripts.
  if (isScriptless || isbot(request.headers.get("User-Agent"))) await body.allReady;

  headers.set("Content-Type", "text/html; charset=utf-8");
  deleteToast(request, headers);
  const page = new Response(body, { headers, status: finalStatus });
  if (isScriptless) return page;
  return start === "later" ? startLater(page, nonce) : scriptsAfterLooks(page, nonce);
}
