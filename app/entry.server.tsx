// Renders a page as an HTML document on the server. Every script in it carries the nonce.
import type { EntryContext, HandleDocumentRequestFunction } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";
import { NonceContext, RefusalContext, ScriptlessContext } from "~/components/layout/nonce";
import { logLine } from "~/domain/log-line";
import { isScriptless } from "~/http/scripts.server";
import { deleteToast } from "~/http/toast.server";
import type { ActResult } from "~/wire/act";

const DOCUMENT_END = "</body></html>";

/** React closes the document before the scripts of its data, but HTML allows no script there. */
function moveDocumentEndLast(page: string): string {
  const endIndex = page.indexOf(DOCUMENT_END);
  return endIndex === -1
    ? page
    : page.slice(0, endIndex) + page.slice(endIndex + DOCUMENT_END.length) + DOCUMENT_END;
}

/** The refusal that a native submit gets as a document. */
function refusalIn({ staticHandlerContext }: EntryContext) {
  const answers: (ActResult | null | undefined)[] = Object.values(staticHandlerContext.actionData ?? {});
  return answers.find((answer) => answer?.ok === false) ?? null;
}

export default (async (request, status, headers, remix, { nonce }) => {
  let finalStatus = status;
  const rendered = await renderToReadableStream(
    <NonceContext.Provider value={nonce}>
      <ScriptlessContext.Provider value={isScriptless(remix, new URL(request.url))}>
        <RefusalContext.Provider value={refusalIn(remix)}>
          <RemixServer context={remix} url={request.url} nonce={nonce} />
        </RefusalContext.Provider>
      </ScriptlessContext.Provider>
    </NonceContext.Provider>,
    {
      nonce,
      // React renders a lazy part of any size in its place, where it shows without JavaScript too.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        finalStatus = 500;
        const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
        console.error(logLine({ event: "page-not-rendered", error: trace }));
      },
    },
  );
  await rendered.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  deleteToast(request, headers);
  const page = moveDocumentEndLast(await new Response(rendered).text());
  return new Response(page, { headers, status: finalStatus });
}) satisfies HandleDocumentRequestFunction;
