// Rows of the audit log: action, actor, person and target, with reason and previous value.
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { AUDIT_ACTIONS, type ShownAct } from "~/domain/safety/audit";

export function AuditRows({ acts }: { acts: readonly ShownAct[] }) {
  return (
    <ul aria-label="Acts" className="flex flex-col gap-3">
      {acts.map((act) => (
        <Card as="li" key={act.id} className="flex flex-col gap-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <strong>{AUDIT_ACTIONS[act.action] ?? act.action}</strong>
            <Target {...act} />
          </p>
          <p className="facts text-sm text-soft">
            <span>
              By <Person name={act.actor} />
            </span>
            {act.user && (
              <span>
                Concerns <Person name={act.user} />
              </span>
            )}
            <Time at={act.at} show="both" />
          </p>
          {act.previous && (
            <p className="text-sm break-words">
              <Badge>Before</Badge> {act.previous}
            </p>
          )}
          {act.reason && <p className="break-words">{act.reason}</p>}
        </Card>
      ))}
    </ul>
  );
}

const Person = ({ name }: { name: string | null }) =>
  name === null ? <span>a deleted account</span> : <TextLink to={`/${name}`}>{name}</TextLink>;

/** The thing that the action changed, as a link while it exists. */
function Target({ targetKind, targetId, slug }: ShownAct) {
  switch (targetKind) {
    case "session":
      return <TextLink to={`/sessions/${targetId}`}>session {targetId}</TextLink>;
    case "line": {
      const [session, line] = targetId.split(":");
      return (
        <TextLink to={`/sessions/${session}/chat`}>
          message {line} of session {session}
        </TextLink>
      );
    }
    case "hut":
      return slug === null ? <span>hut {targetId}</span> : <TextLink to={`/group/${slug}`}>{slug}</TextLink>;
    case "series":
      return slug === null ? (
        <span>series {targetId}</span>
      ) : (
        <TextLink to={`/series/${slug}`}>{slug}</TextLink>
      );
    case "activity":
      return slug === null ? (
        <span>activity {targetId}</span>
      ) : (
        <TextLink to={`/activities/${slug}`}>{slug}</TextLink>
      );
    case "post":
      return <span>post {targetId}</span>;
    case "item":
      return <span>item {targetId}</span>;
    case "person":
      return <Person name={targetId} />;
    case "goal":
      return <span>goal {targetId}</span>;
    case "site":
      return null;
    default:
      return targetKind satisfies never;
  }
}
