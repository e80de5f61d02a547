// All token prices, from the price table (P-11, B-05).
import { PRICES, type Priced, tokensOf } from "~/domain/tokens";

const ACTION_LABELS: Record<Priced, string> = {
  goal: "Creating or copying a goal",
  join: "Joining a session",
  follow: "Following an activity",
  log: "A progress log",
  note: "A note",
  post: "A forum post",
  chat: "A chat message",
};

export const TokenRates = () => (
  <table className="w-full max-w-xl text-start">
    <caption className="sr-only">Token rates</caption>
    <thead>
      <tr className="border-b border-line text-start text-sm text-soft">
        <th scope="col" className="py-2 text-start font-semibold">
          What
        </th>
        <th scope="col" className="py-2 text-end font-semibold">
          Tokens
        </th>
      </tr>
    </thead>
    <tbody>
      {Object.entries(PRICES).map(([action, price]) => (
        <tr key={action} className="border-b border-line">
          <th scope="row" className="py-2 text-start font-normal">
            {ACTION_LABELS[action as Priced]}
          </th>
          <td className="tabular py-2 text-end">{tokensOf(price)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
