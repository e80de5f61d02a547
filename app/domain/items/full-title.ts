// The title of an item with the title of its parent before it (U-54).

export const fullTitle = (item: { title: string; parentsTitle: string | null }): string =>
  item.parentsTitle ? `${item.parentsTitle} › ${item.title}` : item.title;
