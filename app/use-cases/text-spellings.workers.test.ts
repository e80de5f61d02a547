// Texts of the whole world at the doors of accounts, goals and the search.
import { expect, test } from "vitest";
import { PASSWORD, registered, someone } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { appOf, makeUser } from "#tests/support/factories";
import { createGoal } from "~/use-cases/goals/goals.server";

test("V-02 both spellings of an address are one account, at sign-up and at sign-in", async () => {
  const name = `umlaut${crypto.randomUUID().replaceAll("-", "").slice(0, 8)}`;
  const [typed, punycode] = [`${name}@exämple.de`, `${name}@xn--exmple-cua.de`];
  const { answer } = await registered({ email: typed });
  expect(answer.body.user.email).toBe(punycode);
  for (const email of [typed, punycode, typed.toUpperCase()]) {
    const again = await callAs(null, "POST", "/register", someone({ email }));
    expect(again.body.fields, email).toEqual({
      email: ["There is already an account with this email address."],
    });
    const login = await callAs(null, "POST", "/login", { email, password: PASSWORD });
    expect(login.status, email).toBe(200);
  }
});

test("R-80 Y-01 own goals are found whatever their apostrophes, hyphens and accents, those of others never", async () => {
  const [me, other] = [await makeUser(), await makeUser()];
  const [app, theirs] = [await appOf(me), await appOf(other)];
  for (const title of ["Don’t stop", "Crème brûlée", "Co-operate", "Straße", "כִּתְבוּ"])
    await createGoal(app, { title });
  await createGoal(theirs, { title: "Don’t stop theirs" });
  const titles = async (q: string): Promise<string[]> =>
    (await callAs(me, "GET", `/api/search?q=${encodeURIComponent(q)}`)).body.serverData.results.map(
      ({ title }: { title: string }) => title,
    );
  expect(await titles("don't")).toEqual(["Don’t stop"]);
  expect(await titles("creme")).toEqual(["Crème brûlée"]);
  expect(await titles("co operate")).toEqual(["Co-operate"]);
  expect(await titles("strasse")).toEqual(["Straße"]);
  expect(await titles("כתבו")).toEqual(["כִּתְבוּ"]);
});
