// The forms of the modal: one for each kind of subscription, one for a host without tokens.

import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, test, vi } from "vitest";
import type { TokenLack } from "~/domain/errors";
import type { Shell } from "~/domain/viewer";
import { ShellContext, unknownShell } from "~/hooks/use-shell";
import { PurchaseModal } from "./purchase-modal";

// Links use a layout effect, about which React warns on the server.
vi.spyOn(console, "error").mockImplementation(() => {});

function modalOf(
  subscription: "goals_sub" | "goals_sessions_sub" | null,
  message = "You're out of tokens",
  lacksTokens: TokenLack = "you",
) {
  const router = createMemoryRouter(
    [
      {
        id: "root",
        path: "/",
        loader: () => null,
        element: <PurchaseModal modal={{ name: "purchase-tokens", message, lacksTokens }} />,
      },
    ],
    { hydrationData: { loaderData: {} } },
  );
  const shell = { ...unknownShell, viewer: { tokens: 0.5, subscription } } as unknown as Shell;
  const html = renderToStaticMarkup(
    <ShellContext.Provider value={shell}>
      <RouterProvider router={router} />
    </ShellContext.Provider>,
  ).replaceAll("&#x27;", "'");
  return {
    title: /<h2[^>]*>([^<]*)</.exec(html)?.[1],
    links: Object.fromEntries(
      [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)/g)].map(([, to, text]) => [text, to]),
    ),
    html,
  };
}

test("U-06 on Basic: outgrown, and Level Up links to Plus", () => {
  const { title, links } = modalOf("goals_sub");
  expect(title).toBe("You've outgrown your current subscription!");
  expect(links["Level Up"]).toBe("/pricing?expand=goals_sessions_sub");
});

test("U-07 on Plus: out of tokens, and Level Up links to buying some", () => {
  const { title, links } = modalOf("goals_sessions_sub");
  expect(title).toBe("You've run out of tokens D:");
  expect(links["Level Up"]).toBe("/tokens");
});

test("U-08 without a subscription: out of tokens, and Subscribe links to the plans", () => {
  const { title, links, html } = modalOf(null);
  expect(title).toBe("You're out of tokens");
  expect(links).toMatchObject({ Subscribe: "/pricing", "Buy tokens": "/tokens" });
  expect(html).toContain(">0.5<");
});

test("M-15 with a host without tokens the modal says so, and sells the viewer nothing", () => {
  const sentence = "El anfitrión no tiene más.";
  for (const subscription of [null, "goals_sub", "goals_sessions_sub"] as const) {
    const { title, links, html } = modalOf(subscription, sentence, "host");
    expect(title).toBe("The host is out of tokens");
    expect(html).toContain(sentence);
    expect(html).not.toContain("You have");
    expect(links).toEqual({});
    expect(html).toContain("Try again");
  }
  // The field decides, not the words of the sentence.
  expect(modalOf(null, "Ask your host", "you").html).not.toContain("Ask your host");
});

test("B-13 with a reserve the modal shows the sentence that names its chat, and the balance once", () => {
  const { html } = modalOf(null, "You have 0.5 tokens, and 1 is reserved.", "reserve");
  expect(html).toContain("You have 0.5 tokens, and 1 is reserved.");
  expect(html.match(/You have/g)).toHaveLength(1);
});
