// The site's figures of the last days, as a table for super admins.
import { type Figure, SPANS } from "~/domain/safety/figures";

export function FigureTable({ figures }: { figures: Figure[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full max-w-3xl text-left tabular-nums">
        <caption className="sr-only">Figures of the last days</caption>
        <thead>
          <tr className="border-b border-line text-sm text-soft">
            <th scope="col" className="py-2 font-normal">
              In the last
            </th>
            {SPANS.map(({ label }) => (
              <th key={label} scope="col" className="py-2 text-end font-normal">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.map(({ label, counts }) => (
            <tr key={label} className="border-b border-line">
              <th scope="row" className="py-2 font-normal">
                {label}
              </th>
              {counts.map(({ count, isLowerBound }, index) => (
                <td key={SPANS[index]?.label} className="py-2 text-end">
                  {isLowerBound ? `at least ${count}` : count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
