// The account pages as the server renders them: names, logins, exports, deletion, calendar address, passkeys.
import { expect, test } from "vitest";
import { registered, withToken } from "#tests/support/accounts";
import { ask, callAs } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { join, makeSession } from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";

const said = async (page: Visited) => (await page.texts("main")).join(" ");

test("A-12 C-17 C-18 D-08 a second name is added and used on the account page, and others see it", async () => {
  const user = await makeUser();
  const taken = await post(user, "/account", { intent: "add-person", username: user.username });
  expect(taken.status).toBe(422);
  expect(await said(taken)).toContain("This username is taken.");
  const penName = `pen-${crypto.randomUUID().slice(0, 8)}`;
  const added = await post(user, "/account", { intent: "add-person", username: penName });
  const page = added.location === null ? added : await visit(user, added.location);
  expect(await said(page)).toContain(`You can act as ${penName} now.`);
  const offered = await (await visit(user, "/account")).texts('main [aria-label="Names"] button');
  expect(offered).toContain(`Act as ${penName}`);
  await post(user, "/account", { intent: "switch-person", person: penName });
  const after = await visit(user, "/account");
  expect(await after.all(`header [aria-label="Account menu of ${penName}"]`)).not.toEqual([]);
  const rows = await after.texts('main [aria-label="Names"] > li');
  expect(rows).toHaveLength(2);
  expect(rows.filter((row) => row.includes("In use")).join()).toContain(penName);
  await callAs(user, "POST", "/items", { itemData: { title: "Under another name", status: 1 } });
  expect(await (await visit(null, `/${penName}`)).texts("main h2")).toContain("Under another name");
  expect((await visit(null, `/${user.username}`)).html).not.toContain("Under another name");
});

test("X-10 A-02 the security page names each login by its browser, and ends any but its own", async () => {
  const { input, user } = await registered();
  const { email, password } = input;
  const other = await callAs(
    null,
    "POST",
    "/login",
    { email, password },
    {
      "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
    },
  );
  const fox = withToken(/login=([^;]*)/.exec(other.headers.getSetCookie().join())?.[1] ?? "");
  expect((await callAs(fox, "GET", "/get-user")).status).toBe(200);
  const page = await visit(user, "/account/security");
  const rows = await page.texts('main [aria-label="Logins"] > li');
  expect(rows).toHaveLength(2);
  expect(rows.filter((row) => row.includes("This browser"))).toHaveLength(1);
  const buttons = await page.all('main [aria-label="Logins"] button');
  expect(buttons.map(({ text, attributes }) => attributes["aria-label"] ?? text)).toEqual([
    "Sign out Firefox on Linux",
  ]);
  const ended = await post(user, "/account/security", { intent: "end-other-logins" });
  expect(await said(ended)).toContain("You are signed out everywhere else.");
  expect(await ended.texts("main button")).not.toContain("Sign out everywhere else");
  expect((await callAs(fox, "GET", "/get-user")).status).toBe(401);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(200);
});

test("P-12 X-17 the account page links to the whole export and to each table, which are files", async () => {
  const user = await makeUser();
  await callAs(user, "POST", "/api/goals/store", { challenge: { tasks: [{ title: "Mend, the roof" }] } });
  await callAs(user, "POST", "/api/notes", { title: "=1+1", content: "Ask for a ladder" });
  const links = await (await visit(user, "/account")).links();
  const file = async (name: string) => {
    const answer = await ask(links[name] ?? "", {
      redirect: "manual",
      headers: { Cookie: `login=${user.loginToken}` },
    });
    return { name: answer.headers.get("Content-Disposition"), text: await answer.text() };
  };
  const goals = await file("Goals CSV");
  expect(goals.name).toMatch(new RegExp(`bothy-${user.username}-.*goals.*\\.csv`));
  expect(goals.text.trim().split("\r\n")).toHaveLength(2);
  expect(goals.text).toContain('"Mend, the roof"');
  // No spreadsheet runs it as a formula.
  expect((await file("Notes CSV")).text).toContain("'=1+1");
  const whole = JSON.parse((await file("Download everything (JSON)")).text);
  expect(whole).toMatchObject({
    goals: [{ title: "Mend, the roof" }],
    notes: [{ title: "=1+1", content: "Ask for a ladder" }],
  });
});

test("X-17 an account is deleted by its page only with the password, and stays after signing in", async () => {
  const { input, user } = await registered();
  const ask = (currentPassword: string) =>
    post(user, "/account", { intent: "delete-account", currentPassword });
  const refused = await ask("a guess");
  expect(refused.status).toBe(422);
  expect(await said(refused)).toContain("This is not your current password.");
  expect((await callAs(user, "GET", "/get-user")).status).toBe(200);
  const asked = await ask(input.password);
  expect([asked.status, asked.location]).toEqual([302, expect.any(String)]);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
  const back = await post(null, "/auth/login", {
    intent: "login",
    email: input.email,
    password: input.password,
    next: "/my/goals",
  });
  expect(back.location).toBe("/my/goals");
  expect(decodeURIComponent(back.headers.getSetCookie().join())).toContain(
    "Welcome back. Your account stays: it will not be deleted.",
  );
});

test("F-01 F-03 the calendar page shows an address once, and renews and turns it off", async () => {
  const user = await makeUser();
  const act = (intent: string) => post(user, "/account/calendar", { intent });
  const buttons = async (page: Visited) => (await page.texts("main form button")).join();
  expect(await buttons(await visit(user, "/account/calendar"))).toContain("Create a calendar address");
  const [first = ""] = await (await act("calendar.create")).texts("main code");
  expect((await ask(new URL(first).pathname)).status).toBe(200);
  const again = await visit(user, "/account/calendar");
  expect(await again.texts("main code")).toEqual([]);
  expect(await buttons(again)).toContain("Renew");
  const [second = ""] = await (await act("calendar.renew")).texts("main code");
  expect([second === first, (await ask(new URL(first).pathname)).status]).toEqual([false, 404]);
  await act("calendar.off");
  expect(await buttons(await visit(user, "/account/calendar"))).toContain("Create a calendar address");
});

test("F-18 F-25 a joined, upcoming session offers a file and two calendars, only to people with a seat", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const session = await makeSession(host, {
    is_manually_started: 0,
    started_at: "2030-05-01T10:00:00Z",
  });
  const menu = ["Download file", "Google Calendar", "Outlook"];
  for (const user of [null, guest]) {
    const page = await visit(user, session.path);
    expect(page.html).not.toContain("Add to calendar");
    expect(Object.keys(await page.links())).not.toEqual(expect.arrayContaining(menu));
  }
  await join(guest, session.id);
  const page = await visit(guest, session.path);
  expect((await page.texts("main summary")).join()).toContain("Add to calendar");
  const links = await page.links();
  expect(links["Download file"]).toBe(`/sessions/${session.id}/calendar.ics`);
  for (const [name, form] of [
    ["Google Calendar", "https://calendar.google.com/calendar/render?action=TEMPLATE"],
    ["Outlook", "https://outlook.live.com/calendar/0/deeplink/compose?"],
  ] as const) {
    const answer = await ask(links[name] ?? "", {
      redirect: "manual",
      headers: { Cookie: `login=${guest.loginToken}` },
    });
    const location = answer.headers.get("Location") ?? "";
    expect(answer.status).toBe(302);
    expect(location.startsWith(form)).toBe(true);
    expect(new URL(location).searchParams.get("location")).toContain(`/sessions/${session.id}`);
    expect(location).toMatch(/20300501T100000Z|2030-05-01T10%3A00%3A00/);
  }
});

test("Q-32 Q-37 security offers two-step sign-in, and on a bare IP address names the requirements of passkeys", async () => {
  const page = await visit(await makeUser(), "/account/security");
  expect(await page.texts("main button")).toContain("Turn on two-step sign-in");
  expect(await said(page)).toContain("Passkeys need a host name.");
  expect((await page.texts("main button")).join()).not.toContain("Add a passkey");
});
