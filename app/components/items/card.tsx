// An item as others see it (U-50): its parent, its day, its text folded at 300 px.
import { Link } from "@remix-run/react";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { FoldedProse } from "~/components/ui/prose";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { ITEM_STATUS } from "~/domain/items/status";
import type { ShownItem } from "./shapes";

type Props = { item: ShownItem; as?: "li" | "article"; showsPerson?: boolean };

export function ItemCard({ item, as = "li", showsPerson = false }: Props) {
  return (
    <Card as={as} className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <ItemFacts item={item} showsPerson={showsPerson} />
        <h2 className="text-lg wrap-anywhere">
          <Link to={item.path} prefetch="intent" className="rounded-sm underline-offset-4 hover:underline">
            {item.title}
          </Link>
        </h2>
      </div>
      <FoldedProse html={item.contentHtml} />
    </Card>
  );
}

type FactsProps = { item: ShownItem; showsPerson?: boolean; hidesStatus?: boolean };

export function ItemFacts({ item, showsPerson, hidesStatus }: FactsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      {showsPerson && <TextLink to={`/${item.username}`}>{item.personTitle}</TextLink>}
      {item.parentPath !== null && <TextLink to={item.parentPath}>{item.parentTitle}</TextLink>}
      {item.hutSlug !== null && <TextLink to={`/group/${item.hutSlug}`}>{item.hutTitle}</TextLink>}
      <Time at={item.createdAt} />
      {item.isOwner && item.status !== ITEM_STATUS.published && !hidesStatus && <Badge>Unpublished</Badge>}
    </div>
  );
}
