// The column of a page of long text, with headings and lists.
import type { ReactNode } from "react";

export const LongText = ({ children }: { children: ReactNode }) => (
  <div className="flex max-w-[68ch] flex-col gap-4 [&_h2]:mt-4 [&_h2]:text-lg [&_ul]:list-disc [&_ul]:ps-5">
    {children}
  </div>
);
