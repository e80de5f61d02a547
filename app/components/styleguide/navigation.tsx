// The styleguide: navigation, menus and dialogs.
import { useLocation } from "@remix-run/react";
import { useState } from "react";
import { Section } from "~/components/layout/page";
import { Breadcrumbs } from "~/components/ui/breadcrumbs";
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { Dialog } from "~/components/ui/dialog";
import { DropdownMenu, MenuButton, MenuLink, MenuSeparator } from "~/components/ui/dropdown-menu";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Kbd } from "~/components/ui/kbd";
import { LinkTabs, Pills } from "~/components/ui/link-tabs";
import { Pagination } from "~/components/ui/pagination";
import { toast } from "~/hooks/toasts";
import { Row } from "./row";

export function Navigation({ theme }: { theme: string }) {
  return (
    <Section title="Moving about">
      <Breadcrumbs
        items={[{ label: "Home", to: "/" }, { label: "My Goals", to: "/my/goals" }, { label: "Goal: Read" }]}
      />
      <LinkTabs
        label="Session"
        tabs={[
          { to: "/styleguide", label: "Details" },
          { to: "/styleguide/goals", label: "Goals" },
          { to: "/styleguide/forum", label: "Forum" },
          { to: "/styleguide/chat", label: "Chat" },
        ]}
      />
      <Pills
        label="Mine"
        tabs={["My Goals", "My Logs", "My Sessions", "My Groups", "My Notes"].map((label, index) => ({
          to: index === 0 ? "/styleguide" : `/styleguide/${index}`,
          label,
        }))}
      />
      <Pagination page={2} hasNext label={`Pages, ${theme}`} />
      <Pagination page={1} hasNext label={`First pages, ${theme}`} />
      <Row label="Menu, dialogs, keys">
        <DropdownMenu
          align="start"
          trigger="Options"
          triggerClassName="inline-flex min-h-11 items-center rounded-md border border-edge bg-raised px-4 font-semibold hover:bg-sunken"
        >
          <MenuLink to="/challenges/create">Update</MenuLink>
          <MenuButton disabled>Leave</MenuButton>
          <MenuSeparator />
          <MenuButton isDanger>Delete</MenuButton>
        </DropdownMenu>
        <DialogSpecimen />
        <ConfirmDialog
          trigger={<Button variant="danger">Delete</Button>}
          title="Delete this note?"
          confirmLabel="Delete note"
          onConfirm={() => toast.success("Success!")}
        >
          The note is gone afterwards. You cannot get it back.
        </ConfirmDialog>
        <Kbd>g</Kbd> <Kbd>s</Kbd>
      </Row>
    </Section>
  );
}

function DialogSpecimen() {
  const [isOpen, setIsOpen] = useState(useLocation().search === "?dialog");
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Dialog</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Enter the code to join the session"
        footer={
          <Button variant="primary" onClick={() => setIsOpen(false)}>
            Continue
          </Button>
        }
      >
        <Field label="Join Code" isRequired>
          <TextInput name="code" autoComplete="off" />
        </Field>
      </Dialog>
    </>
  );
}
