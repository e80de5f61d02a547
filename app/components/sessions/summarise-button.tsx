// The button that asks for a summary of a session's texts (C-65).
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";

type Props = { slug: string; isAgain: boolean; onMade: (summary: string | null) => void };

export function SummariseButton({ slug, isAgain, onMade }: Props) {
  const summarise = useCall<{ data?: string } | string>({
    onDone: (answer) => onMade(typeof answer === "string" ? answer : (answer.data ?? null)),
  });
  return (
    <Button
      variant="ghost"
      className="-ms-4 forced-colors:ms-0"
      isLoading={summarise.isBusy}
      onClick={() => void summarise.run(paths.makeSummary, { params: { challenge: slug } })}
    >
      <Icon name="sparkles" />
      {isAgain ? "Summarise again" : "Summarise"}
    </Button>
  );
}
