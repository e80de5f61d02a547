// A star that marks a favourite (C-47). It asks visitors to sign in first.
import { useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";

type Props = { kind: "item" | "challenge" | "hut" | "snippet"; id: number; isOn: boolean };

export function Favorite({ kind, id, isOn }: Props) {
  const [pending, setPending] = useState<boolean | null>(null);
  const isMarked = pending ?? isOn;
  const call = useCall<{ favorite: 0 | 1 }>({
    onDone: () => setPending(null),
    onError: () => {
      setPending(null);
      return false;
    },
  });
  const toggle = () => {
    setPending(!isMarked);
    void call.run(paths.setFavorite, {
      body: { favoritable_type: kind, favoritable_id: id, favorite: isMarked ? 0 : 1 },
      record: `${kind} ${id}`,
    });
  };
  return (
    <Button
      className="needs-script max-sm:-ms-2 max-sm:px-2"
      variant="ghost"
      aria-pressed={isMarked}
      onClick={toggle}
    >
      <Icon name="star" className={isMarked ? "fill-current text-ember" : ""} />
      Favourite
    </Button>
  );
}
