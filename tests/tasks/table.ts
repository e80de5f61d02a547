// The reporter of `npm run tasks`: a table with a row for each task and width.
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

export default class Table implements Reporter {
  onBegin(): void {
    console.log("| Task | At | Presses + fields | Swipes (px) | Keys | Note |\n|-|-|-|-|-|-|");
  }

  onTestEnd({ title }: TestCase, { annotations, status, error }: TestResult): void {
    const row = annotations.find(({ type }) => type === "row")?.description;
    console.log(row ?? `| ${title} | | ${status} | | | |`);
    if (error?.message) console.log(error.message);
  }

  printsToStdio(): boolean {
    return true;
  }
}
