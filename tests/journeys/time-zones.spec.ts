// Dates and times read the same on the server and in the browser in each time zone and locale.
import { expect, expectQuiet, knowTimeZone, test, waitForHydration, watchConsole } from "./fixtures";

const viewers = [
  { timezoneId: "Asia/Kolkata", locale: "en-US" },
  { timezoneId: "Europe/Paris", locale: "fr-FR" },
];

test("instants read the same before and after hydration in each time zone and locale", async ({
  browser,
  baseURL,
}) => {
  for (const viewer of viewers)
    await test.step(`${viewer.timezoneId} with ${viewer.locale}`, async () => {
      const context = await browser.newContext({ baseURL: baseURL ?? "", ...viewer });
      await knowTimeZone(context, viewer.timezoneId);
      const page = await context.newPage();
      watchConsole(page);
      let count = 0;
      for (const path of [
        "/",
        "/events",
        "/sessions/1",
        "/sessions/11",
        "/my/logs",
        "/activities/focus-rounds",
      ]) {
        let shown: string[] = [];
        // A minute may pass between the server's answer and the browser's look: what differs is looked at once more.
        await expect(async () => {
          const answer = await page.goto(path);
          // The content of noscript shows without JavaScript only.
          const html = ((await answer?.text()) ?? "").replace(/<noscript>.*?<\/noscript>/gs, "");
          await waitForHydration(page);
          const sent = [...html.matchAll(/<time dateTime="([^"]*)"[^>]*>(.*?)<\/time>/gi)].map(
            ([, at, text]) => `${at} ${text?.replace(/<[^>]*>/g, "").replaceAll("&#x27;", "'")}`,
          );
          shown = await page
            .locator("time[datetime]")
            .evaluateAll((times) =>
              times.map((time) => `${time.getAttribute("datetime")} ${time.textContent}`),
            );
          expect(shown, path).toEqual(sent);
        }).toPass({ timeout: 20_000 });
        count += shown.length;
        for (const time of shown) expect(time).toMatch(/^(\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?|P\S+) /);
      }
      expect(count).toBeGreaterThan(10);
      expectQuiet(page);
      await context.close();
    });
});
