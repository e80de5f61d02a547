// One of the My pages: its title and tabs, and in place of the viewer's list an example for visitors (U-14).
import type { ReactNode } from "react";
import { useShell } from "~/hooks/use-shell";
import { MyTabs } from "./my-tabs";
import { Page } from "./page";

type Props = {
  title: string;
  actions?: ReactNode;
  /** The reason to sign in, with an example. */
  visitor?: ReactNode;
  children: ReactNode;
};

export function MyPage({ title, actions, visitor, children }: Props) {
  const { viewer } = useShell();
  return (
    <Page title={title} tabs={<MyTabs />} actions={viewer && actions}>
      {viewer ? children : visitor}
    </Page>
  );
}
