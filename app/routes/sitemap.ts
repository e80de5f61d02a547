// /sitemap.xml, the list of public pages for search engines.
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { COPY_SECONDS } from "~/domain/shown-thing";
import { load } from "~/http/load.server";
import { listPublicPages, type PublicPage } from "~/use-cases/sitemap.server";

const escapeXml = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const urlElement = ({ url, changedAt }: PublicPage) =>
  `<url><loc>${escapeXml(url)}</loc>${
    changedAt === null ? "" : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`
  }</url>`;

export async function loader(args: LoaderFunctionArgs) {
  const pages = await load(args, listPublicPages);
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages.map(urlElement).join("\n")}\n</urlset>\n`,
    {
      headers: {
        "Content-Type": "application/xml; charset=utf-8",
        "Cache-Control": `public, max-age=${COPY_SECONDS}`,
      },
    },
  );
}
