// "Report": a link to the form's page, and a dialog once JavaScript runs.
import type { MouseEvent } from "react";
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu, MenuLink } from "~/components/ui/dropdown-menu";
import type { ReportTarget } from "~/domain/safety/report-targets";
import { openModal } from "~/hooks/modal-store";

export const reportPath = ({ kind, id }: ReportTarget): string =>
  `/account/report/${kind}/${encodeURIComponent(id)}`;

type Props = { target: ReportTarget; author: string; label?: string };

function openReportDialog({ target, author }: Props, event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  // The menu is a details element, which would stay open behind the modal.
  event.currentTarget.closest("details")?.removeAttribute("open");
  openModal({ name: "report", target, author });
}

export const ReportMenuLink = (props: Props) => (
  <MenuLink to={reportPath(props.target)} prefetch="none" onClick={(event) => openReportDialog(props, event)}>
    <Icon name="flag" />
    {props.label ?? "Report"}
  </MenuLink>
);

/** A menu whose only entry is Report. */
export const ReportMenu = (props: Props) => (
  <DropdownMenu
    label="More"
    trigger={<Icon name="more" />}
    triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md text-soft hover:bg-sunken"
  >
    <ReportMenuLink {...props} />
  </DropdownMenu>
);
