// Images in the rich-text editor: chosen, dropped and pasted, refused and cancelled.
import type { Route } from "@playwright/test";
import { openForm, PNG, press, textOf } from "./editor";
import { expect, test } from "./fixtures";
import { tabTo } from "./focus";

type Held = { release?: () => void };

test("S-21 U-59 M-33 an image upload is read, sent and shown, refused, or cancelled", async ({ host }) => {
  const { page } = host;
  const { keyboard } = page;
  await page.clock.install();
  // Registered early: the press may open the browser's own dialog before a later listener exists.
  page.on("filechooser", () => {});
  // Reading the file waits until the test releases it.
  await page.addInitScript(() => {
    const { arrayBuffer } = File.prototype;
    File.prototype.arrayBuffer = async function () {
      await new Promise<void>((done) => {
        (window as Held).release = done;
      });
      return arrayBuffer.call(this);
    };
  });
  let held: Route | undefined;
  await page.route("**/upload/*", (route) => {
    held = route;
  });
  await openForm(page);
  await press(page, "Image");
  await expect(page.getByRole("button", { name: "Upload from this device" })).toBeFocused();
  await keyboard.press("Escape");
  await expect(textOf(page)).toBeFocused();

  const row = page.locator("[data-upload]");
  const take = async (name: string, give: () => Promise<void>) => {
    held = undefined;
    await give();
    await expect(row).toHaveAttribute("data-upload", "reading");
    await expect(textOf(page).locator(".upload-placeholder")).toHaveText(name);
    await page.evaluate(() => (window as Held).release?.());
    await expect(row).toHaveAttribute("data-upload", "uploading");
    await expect.poll(() => held !== undefined).toBe(true);
    await expect(textOf(page)).toBeFocused();
  };
  const choose = (name: string) =>
    take(name, async () => {
      await press(page, "Image");
      await expect(page.getByRole("button", { name: "Upload from this device" })).toBeFocused();
      const asked = page.waitForEvent("filechooser");
      await keyboard.press("Enter");
      const chooser = await asked;
      expect(chooser.isMultiple()).toBe(true);
      await chooser.setFiles({ name, mimeType: "image/png", buffer: PNG });
    });
  // Drop and paste have no key: the browser's own event with the file in it.
  const handOver = (name: string, how: "drop" | "paste") =>
    take(name, () =>
      textOf(page).evaluate(
        (text, { name, how, bytes }) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(bytes)], name, { type: "image/png" }));
          const { left, top } = text.getBoundingClientRect();
          const about = { bubbles: true, cancelable: true };
          const at = { clientX: left + 20, clientY: top + 20 };
          text.dispatchEvent(
            how === "drop"
              ? new DragEvent("drop", { ...about, ...at, dataTransfer: data })
              : new ClipboardEvent("paste", { ...about, clipboardData: data }),
          );
        },
        { name, how, bytes: [...PNG] },
      ),
    );

  await choose("our_hut.png");
  await page.clock.pauseAt(Date.now() + 60_000);
  await held?.continue();
  await expect(row).toHaveAttribute("data-upload", "complete");
  await expect(row).toContainText("Uploaded");
  await expect(textOf(page).locator('img[alt="our hut"]')).toHaveAttribute("src", /^\/uploads\/\w+\.png$/);
  await page.clock.runFor(2900);
  await expect(row).toBeVisible();
  await page.clock.runFor(200);
  await expect(row).toHaveCount(0);
  await page.clock.resume();

  for (const [index, how] of (["drop", "paste"] as const).entries()) {
    await handOver(`${how}ped.png`, how);
    await held?.continue();
    await expect(textOf(page).locator("img[src]")).toHaveCount(index + 2);
    await expect(row).toHaveCount(0);
  }

  await choose("broken.png");
  await held?.fulfill({ status: 500, body: "" });
  const failed = page.getByText("Upload failed", { exact: true });
  await expect(failed).toBeVisible();
  await expect(page.getByText("Couldn't upload file: broken.png.")).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(textOf(page).locator(".upload-placeholder")).toHaveCount(0);

  const failures = await failed.count();
  await choose("stopped.png");
  await tabTo(page, page.getByRole("button", { name: "Stop the upload of stopped.png" }));
  await keyboard.press("Enter");
  await expect(textOf(page)).toBeFocused();
  await expect(row).toHaveCount(0);
  await expect(textOf(page).locator(".upload-placeholder")).toHaveCount(0);
  await expect(page.getByText(/stopped\.png/)).toHaveCount(0);
  expect(await failed.count()).toBeLessThanOrEqual(failures);
  await expect(textOf(page).locator("img[src]")).toHaveCount(3);
});
