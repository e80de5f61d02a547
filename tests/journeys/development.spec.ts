// `npm run dev`: an edit shows in the open page, and a live session works between two browsers.
import { mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../workers/local/processes.mjs";
import { migrate, serveSources } from "../../workers/local/tools.mjs";
import { alive, call, expect, newPerson, test } from "./fixtures";

const port = Number(process.env.JOURNEY_PORT ?? 8790) + 4;
const FOOTER = join(ROOT, "app/components/layout/footer.tsx");
const CHAT_BOX = join(ROOT, "app/components/room/chat-box.tsx");
const FORGOT = join(ROOT, "app/routes/accounts/forgot-password.tsx");
const CREATE = join(ROOT, "app/routes/sessions/create.tsx");

/** Runs `work` while the file is changed, and restores its text and its times, by which builds find their sources. */
async function whileEdited(path: string, from: string, to: string, work: () => Promise<void>): Promise<void> {
  const text = readFileSync(path, "utf8");
  const { atime, mtime } = statSync(path);
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
  try {
    await work();
  } finally {
    writeFileSync(path, text);
    utimesSync(path, atime, mtime);
  }
}

test("P6 under npm run dev an edit of a component or a route keeps the page and what is typed, and two browsers share a session", async ({
  browser,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-dev-"));
  await migrate(dataDir);
  const server = await serveSources({ port, dataDir, vars: { RATE_LIMITS: "off" }, quiet: true });
  try {
    const { page: host } = await newPerson(browser, "host", { baseURL: server.url });
    const { page: guest } = await newPerson(browser, "guest", { baseURL: server.url });
    const made = await call(host, "POST", "/challenge-events", {
      challenge: { title: "By the source", duration: 3600, is_manually_started: 1, participant_limit: 3 },
    });
    const { challenge_event: session, path } = (await made.json()) as {
      challenge_event: { id: number };
      path: string;
    };
    expect((await call(guest, "POST", `/challenge-events/${session.id}/join`, {})).ok()).toBe(true);
    expect((await call(host, "POST", `/challenge-events/${session.id}/start`, {})).ok()).toBe(true);
    for (const page of [host, guest]) {
      await page.goto(path);
      await alive(page);
    }
    await guest.getByLabel("Message").first().fill("Can you read this?");
    await guest.getByLabel("Message").first().press("Enter");
    await expect(host.getByText("Can you read this?").first()).toBeVisible();

    await host.getByLabel("Message").first().fill("Half a senten");
    await whileEdited(FOOTER, 'label: "About"', 'label: "About this house"', async () => {
      await expect(host.getByText("About this house")).toBeVisible();
      await expect(host.getByLabel("Message").first()).toHaveValue("Half a senten");
    });
    // So does the component with the typed text.
    await whileEdited(CHAT_BOX, 'placeholder="Message"', 'placeholder="Your message"', async () => {
      await expect(host.getByLabel("Message").first()).toHaveAttribute("placeholder", "Your message");
      await expect(host.getByLabel("Message").first()).toHaveValue("Half a senten");
    });
    // So do a route with its form, and a route with a loader.
    await host.goto(`${server.url}/forgot-password`);
    await alive(host);
    await host.getByLabel("Email").fill("half@an");
    await whileEdited(FORGOT, "Remembered it?", "Remembered it after all?", async () => {
      await expect(host.getByText("Remembered it after all?")).toBeVisible();
      await expect(host.getByLabel("Email")).toHaveValue("half@an");
    });
    await host.goto(`${server.url}/challenges/events/create`);
    await alive(host);
    await host.getByLabel("Title").first().fill("Half a tit");
    await whileEdited(CREATE, 'title="Create a Session"', 'title="Make a Session"', async () => {
      await expect(host.getByRole("heading", { name: "Make a Session" })).toBeVisible();
      await expect(host.getByLabel("Title").first()).toHaveValue("Half a tit");
    });
  } finally {
    await server.stop();
  }
});
