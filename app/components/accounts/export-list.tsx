// Links to the export of the user's data: one file with everything, and tables for a spreadsheet. They have no `download`,
// because a login without a recent check is redirected to a page.
import { buttonClass } from "~/components/ui/button";
import { EVERYTHING, exportPath, TABLES } from "~/wire/export";

export const ExportList = () => (
  <div className="flex flex-col gap-4">
    <a href={exportPath(EVERYTHING)} className={buttonClass("quiet", "md", "self-start")}>
      Download everything (JSON)
    </a>
    <ul aria-label="Tables" className="flex flex-wrap gap-x-5 gap-y-1">
      {TABLES.map(({ kind, label }) => (
        <li key={kind}>
          <a
            href={exportPath(`${kind}.csv`)}
            className="inline-flex min-h-11 items-center gap-1 underline decoration-edge underline-offset-4 hover:decoration-current"
          >
            {label} <span className="text-sm text-soft">CSV</span>
          </a>
        </li>
      ))}
    </ul>
  </div>
);
