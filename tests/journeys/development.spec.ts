// `npm run dev`: an edit shows in the open page, and a live session works between two browsers. The test edits a copy of
// the tree.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../workers/local/processes.mjs";
import { migrate } from "../../workers/local/tools.mjs";
import { expect, test, waitForHydration } from "./fixtures";
import { twoInSession } from "./sessions";

const port = Number(process.env.JOURNEY_PORT ?? 8790) + 4;
const FOOTER = "app/components/layout/footer.tsx";
const CHAT_BOX = "app/components/room/chat-box.tsx";
const ABOUT = "app/routes/about.tsx";
const FORGOT = "app/routes/accounts/forgot-password.tsx";
const CREATE = "app/routes/sessions/create.tsx";

/** The folders and files of which a server needs a copy. */
const SOURCES = "app db public workers package.json remix.config.ts tsconfig.json wrangler.toml".split(" ");

/** A copy of the sources with the packages of the tree. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "bothy-tree-"));
  for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "junction");
  return copy;
}

/** Runs `work` while the file is changed. */
async function whileEdited(path: string, from: string, to: string, work: () => Promise<void>): Promise<void> {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
  await work();
  writeFileSync(path, text);
}

test("P6 under npm run dev an edit of a component or a route keeps the page and what is typed, a broken route shows its error, and two browsers share a session", async ({
  browser,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-dev-"));
  await migrate(dataDir);
  const copy = copyOfTree();
  const { serveSources } = await import(join(copy, "workers/local/tools.mjs"));
  const server = await serveSources({ port, dataDir, vars: { RATE_LIMITS: "off" }, quiet: true });
  try {
    const { host, guest, session } = await twoInSession(
      browser,
      { baseURL: server.url, dataDir },
      "Can you read this?",
    );

    await host.getByLabel("Message").first().fill("Half a senten");
    await whileEdited(join(copy, FOOTER), 'label: "About"', 'label: "About this house"', async () => {
      await expect(host.getByText("About this house")).toBeVisible();
      await expect(host.getByLabel("Message").first()).toHaveValue("Half a senten");
    });
    // An edit of the component that holds the typed text keeps it, too.
    await whileEdited(
      join(copy, CHAT_BOX),
      'placeholder="Message"',
      'placeholder="Your message"',
      async () => {
        await expect(host.getByLabel("Message").first()).toHaveAttribute("placeholder", "Your message");
        await expect(host.getByLabel("Message").first()).toHaveValue("Half a senten");
      },
    );
    // A route with its form and a route with a loader keep it as well.
    await host.goto(`${server.url}/forgot-password`);
    await waitForHydration(host);
    await host.getByLabel("Email").fill("half@an");
    await whileEdited(join(copy, FORGOT), "Remembered it?", "Remembered it after all?", async () => {
      await expect(host.getByText("Remembered it after all?")).toBeVisible();
      await expect(host.getByLabel("Email")).toHaveValue("half@an");
    });
    await host.goto(`${server.url}/challenges/events/create`);
    await waitForHydration(host);
    await host.getByLabel("Title").first().fill("Half a tit");
    await whileEdited(join(copy, CREATE), 'title="Create a Session"', 'title="Make a Session"', async () => {
      await expect(host.getByRole("heading", { name: "Make a Session" })).toBeVisible();
      await expect(host.getByLabel("Title").first()).toHaveValue("Half a tit");
    });
    // A stage and a card have scripts of their own.
    await guest.goto(`${session.path}/stage`);
    await expect(guest.getByRole("timer")).toBeVisible();
    const numerals = guest.locator(".stage-clock");
    const shown = await numerals.textContent();
    await expect(numerals).not.toHaveText(shown ?? "");
    await guest.goto(`/embed${session.path}`);
    const countdown = guest.locator("[data-until]");
    const until = await countdown.textContent();
    await expect(countdown).not.toHaveText(until ?? "");
    // A broken route shows its error, from its component and from its loader.
    const breaks = [
      ["const { appName } = useShell();", 'throw new Error("A broken component");'],
      ["randomSnippet(app, { chance: Math.random() })", 'Promise.reject(new Error("A broken loader"))'],
    ] as const;
    for (const [from, to] of breaks)
      await whileEdited(join(copy, ABOUT), from, to, async () => {
        await expect(async () => {
          await host.goto(`${server.url}/about`);
          await expect(host.locator("pre")).toContainText(/A broken [\s\S]*about\.tsx/, {
            timeout: 1000,
          });
        }).toPass();
      });
  } finally {
    await server.stop();
    rmSync(copy, { recursive: true });
  }
});
