// Tabs inside one page (arrow keys move, radix does the work). For tabs that are pages use LinkTabs.
import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

export type Tab = { value: string; label: ReactNode; content: ReactNode };

type TabsProps = {
  label: string;
  tabs: readonly Tab[];
  defaultValue?: string;
  value?: string;
  onChange?: (value: string) => void;
};

export function Tabs({ label, tabs, defaultValue = tabs[0]?.value, value, onChange }: TabsProps) {
  return (
    <Radix.Root
      defaultValue={value === undefined ? defaultValue : undefined}
      value={value}
      onValueChange={onChange}
    >
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-11 border-b-3 border-transparent px-3 font-medium whitespace-nowrap text-soft hover:text-ink focus-visible:-outline-offset-3 data-[state=active]:border-ember data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
