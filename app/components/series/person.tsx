// A person of a series as a link to their page; an alias has no page.
import { TextLink } from "~/components/ui/text-link";
import { isAlias } from "~/domain/room/aliases";

export const SeriesPerson = ({ username }: { username: string }) =>
  isAlias(username) ? (
    <span>{username}</span>
  ) : (
    <TextLink to={`/${username}`} className="break-all">
      {username}
    </TextLink>
  );
