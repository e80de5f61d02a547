// The steps of a report in tests: somebody reports, a super admin decides, the author appeals, and the appeal is granted.
import { env } from "cloudflare:workers";
import { callAs } from "./ask";
import { makeUser, type TestUser } from "./factories";
import { actorOf, partsOf, runningRoom } from "./rooms";
import { makeHut, makePost } from "./sessions";
import { post } from "./visit";

export const warden = () => makeUser({ roleId: 10 });
export const send = (user: TestUser, kind: string, id: string | number, text = "") =>
  callAs(user, "POST", "/api/reports", { kind, id, reason: "harassment", text });
export const decide = (by: TestUser, kind: string, id: string | number, act: string, reason = "Insults") =>
  post(by, "/admin/reports", { intent: "decide", kind, id: String(id), act, reason });
export const actsOn = async (user: TestUser) =>
  (
    await env.DB.prepare("SELECT action, reason, actor_id FROM audit WHERE user_id = ? ORDER BY id")
      .bind(user.id)
      .all()
  ).results;
export const openOf = (id: string | number) =>
  env.DB.prepare("SELECT count(*) AS n FROM reports WHERE target_id = ? AND closed_at IS NULL")
    .bind(String(id))
    .first("n");
export const mailOf = async (user: TestUser) =>
  (
    await env.DB.prepare("SELECT subject, text FROM mailbox WHERE recipient = ? ORDER BY id")
      .bind(user.email)
      .all<{ subject: string; text: string }>()
  ).results;
export const linkIn = (text = "") => /(\/account\/appeal\?token=[\w-]+)/.exec(text)?.[1] ?? "";
export const file = (link: string, text = "Please") =>
  post(null, link, { intent: "appeal", token: link.split("=")[1] ?? "", text });
/** Appeals by the link of the author's first email about a decision. */
export const appeal = async (author: TestUser) =>
  file((await mailOf(author)).map(({ text }) => linkIn(text)).find((link) => link !== "") ?? "");
/** Grants the oldest appeal that nobody has answered, or else an answered one again. */
export const grant = async (by: TestUser, author: TestUser) => {
  const id = await env.DB.prepare(
    "SELECT token_hash FROM decisions WHERE user_id = ? ORDER BY answered_at IS NOT NULL, decided_at",
  )
    .bind(author.id)
    .first<string>("token_hash");
  return post(by, "/admin/reports", { intent: "answer", id: id ?? "", isGranted: "1", reason: "Agreed" });
};

export const hutPost = async (author: TestUser, content: string, owner = author) =>
  makePost(author, { hutId: (await makeHut(owner, [author])).id }, content);
/** A line of the chat of a running session, which another participant has reported. */
export async function rudeLine() {
  const [author, reporter] = [await makeUser(), await makeUser()];
  const host = await makeUser();
  const { id, room } = await runningRoom([host, author, reporter], partsOf(3600), 3600);
  const said = await room.change({ type: "say", by: actorOf(author), content: "A rude line", nonce: "n" });
  const line = `${id}:${said.messages.at(-1)?.seq}`;
  await send(reporter, "message", line, "Please look");
  return { author, reporter, host, id, line };
}
