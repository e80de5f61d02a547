// The button at the start of a search field, which submits its form.
import { Icon } from "~/components/pictures/icon";

export const FindButton = () => (
  <button
    type="submit"
    aria-label="Find"
    className="absolute start-0 top-0 grid size-11 place-content-center rounded-full text-faint hover:text-ink"
  >
    <Icon name="search" />
  </button>
);
