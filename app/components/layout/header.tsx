// The header of every page: name, lists, search, tokens, account. It works without JavaScript.
import { Form, Link, NavLink, useLocation } from "@remix-run/react";
import clsx from "clsx";
import { lazy } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Icon } from "~/components/pictures/icon";
import { Logo } from "~/components/pictures/logo";
import { Avatar } from "~/components/ui/avatar";
import { buttonClass } from "~/components/ui/button";
import { DropdownMenu, MenuLink, MenuSeparator } from "~/components/ui/dropdown-menu";
import { FindButton } from "~/components/ui/find-button";
import { LazyPart } from "~/components/ui/lazy-part";
import { forgetDrafts } from "~/hooks/accounts/forget-drafts";
import { openModal } from "~/hooks/modal-store";
import { useShell } from "~/hooks/use-shell";
import { Bell } from "./bell";
import { useModalPath } from "./modal-outlet";
import { accountLinks, isWithin, mainLinks } from "./navigation-links";
import { ThemeChoice } from "./theme-choice";

const ClockPill = lazy(() => import("./clock-pill"));

export function Header() {
  const { appName, viewer, home } = useShell();
  const modalPath = useModalPath();
  const { pathname } = useLocation();
  return (
    <header className="header">
      {/* The row wraps only at twice the text size, because a container query's rem follows the reader's setting. */}
      <div className="header-row">
        {/* Without space for the name, it wraps to a second, hidden line. */}
        <Link to={home} prefetch="intent" className="header-name">
          <Logo className="size-8" />
          {appName}
        </Link>
        <nav aria-label="Lists" className="hidden md:block">
          <ul className="flex">
            {/* A guest has this session and no other page (H-19). */}
            {(home === "/" ? mainLinks : []).map((link) => (
              <li key={link.to}>
                <NavLink
                  to={link.to}
                  prefetch="intent"
                  className={({ isActive, isPending }) =>
                    clsx(
                      "header-link",
                      (isActive || isWithin(link.to, pathname)) && "is-here",
                      isPending && "is-pending",
                    )
                  }
                >
                  {link.label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="header-tools">
          {home === "/" && <Search />}
          {viewer ? (
            <>
              {viewer.runningLog && (
                <LazyPart>
                  <ClockPill runningLog={viewer.runningLog} />
                </LazyPart>
              )}
              <Link
                to="/tokens"
                prefetch="intent"
                className="tabular header-balance"
                aria-label={`${viewer.headerTokens} tokens`}
                title={viewer.balance}
              >
                <Icon name="token" className="text-ember" />
                {Number.isInteger(viewer.headerTokens) ? viewer.headerTokens : viewer.headerTokens.toFixed(2)}
              </Link>
              <Bell unread={viewer.unreadNotices} />
              <DropdownMenu
                label={`Account menu of ${viewer.username}`}
                trigger={<Avatar name={viewer.username} size={32} />}
                triggerClassName="grid size-11 place-content-center rounded-full hover:bg-sunken"
              >
                {accountLinks(viewer).map((link) => (
                  <MenuLink key={link.to} to={link.to}>
                    {link.label}
                  </MenuLink>
                ))}
                <MenuSeparator />
                <ThemeChoice />
                <MenuSeparator />
                <Form method="post" action="/auth/logout" reloadDocument onSubmit={forgetDrafts}>
                  <MadeFor />
                  <button type="submit" className="menu-item">
                    Logout
                  </button>
                </Form>
              </DropdownMenu>
            </>
          ) : (
            <Link to={modalPath("auth", "login")} preventScrollReset className={buttonClass("quiet")}>
              Login
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}

/** A press opens the palette; before JavaScript, and by Tab, the form searches the lists. */
function Search() {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search).get("q") ?? "";
  const searchForm = (className: string, id: string) => (
    <Form action="/" role="search" aria-label="Everything" className={className} key={`${pathname}${query}`}>
      <label htmlFor={id} className="sr-only">
        Search sessions and activities
      </label>
      <input
        id={id}
        name="q"
        type="search"
        dir="auto"
        defaultValue={query}
        placeholder="Search"
        enterKeyHint="search"
        onClick={(event) => openModal({ name: "palette", typed: event.currentTarget.value })}
        className="control header-search"
      />
      <FindButton />
    </Form>
  );
  return (
    <>
      {searchForm("relative hidden w-44 lg:block xl:w-56", "header-search")}
      <details className="group lg:hidden">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the rule does not know that browsers make a summary a button. */}
        <summary
          onClick={(event) => {
            event.preventDefault();
            openModal({ name: "palette" });
          }}
          className="grid size-11 place-content-center rounded-full hover:bg-sunken group-open:bg-sunken"
          aria-label="Search"
        >
          <Icon name="search" />
        </summary>
        <div className="absolute inset-x-0 top-full border-b border-line bg-paper px-3 py-3 sm:px-6">
          {searchForm("relative block w-full", "header-search-narrow")}
        </div>
      </details>
    </>
  );
}
