// The list of items that its owner sorts; the code of drag and drop loads with it.
import { type ComponentProps, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";

const SortableItems = lazy(async () => ({ default: (await import("./sortable-items")).SortableItems }));

export const ItemBoard = (props: ComponentProps<typeof SortableItems>) => (
  <LazyPart>
    <SortableItems {...props} />
  </LazyPart>
);
