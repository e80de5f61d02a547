// The link to the next page of notices.
import { TextLink } from "~/components/ui/text-link";

/** `after`: the cursor of the next page. */
export const OlderNoticesLink = ({ after }: { after: string }) => (
  // Loading a page marks its notices as read (N-10), so it does not load before the press.
  <TextLink to={`?after=${encodeURIComponent(after)}`} prefetch="none">
    Older notices
  </TextLink>
);
