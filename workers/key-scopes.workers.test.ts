// The texts of other people, by calls with a personal key (O-03).
import { expect, test } from "vitest";
import { ask, callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, type TestUser } from "#tests/support/factories";
import { sayInRoom } from "#tests/support/rooms";
import { makePost, runningSession } from "#tests/support/sessions";
import { type KeyScope, SCOPE_REFUSED } from "~/domain/accounts/api-keys";
import { instant } from "~/domain/time";
import { createKey } from "~/use-cases/accounts/api-keys.server";

keepBystanders();

test("O-03 a key removes its user's own texts by write, and those of others only by host as well", async () => {
  const { id, host, ben, cas } = await runningSession();
  const textsOf = async (user: TestUser) => {
    await callAs(user, "POST", `/challenge-events/${id}/aim`, { aim: "Read" });
    return [
      `/api/posts/${await makePost(user, { sessionId: id })}`,
      `/api/sessions/${id}/messages/${await sayInRoom(id, user, "Hello")}`,
      `/challenge-events/${id}/participants/${user.username}/aim`,
    ];
  };
  const removal = async (user: TestUser, ...scopes: KeyScope[]) => {
    const app = await appOf(user, instant(Date.now()));
    const { key } = await createKey(app, { name: "Script", scopes, days: 30 });
    return async (path: string) => {
      const response = await ask(path, { method: "DELETE", headers: { Authorization: `Bearer ${key}` } });
      const text = await response.text();
      return text === "" ? response.status : (JSON.parse(text) as { message: string }).message;
    };
  };
  const [texts, otherTexts] = [await textsOf(ben), await textsOf(cas)];
  const [writes, hosts] = [await removal(host, "write"), await removal(host, "write", "host")];
  for (const path of texts) expect([path, await writes(path)]).toEqual([path, SCOPE_REFUSED]);
  for (const path of texts) expect([path, await (await removal(ben, "write"))(path)]).toEqual([path, 204]);
  for (const path of otherTexts) expect([path, await hosts(path)]).toEqual([path, 204]);
  for (const path of await textsOf(host)) expect([path, await writes(path)]).toEqual([path, 204]);
});
