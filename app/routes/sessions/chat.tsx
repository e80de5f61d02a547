// The tab Chat of a session (P-36, U-45).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { SessionChat } from "~/components/sessions/chat";
import { sessionMeta } from "~/components/sessions/meta";
import { numberIn } from "~/domain/number-fields";
import { LineChoice, LineEditInput, MessageInput, SlowModeInput } from "~/forms/sessions/sessions";
import { usePosted } from "~/hooks/form/use-posted";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { createMessage, editMessage, removeMessage } from "~/use-cases/room/chat.server";
import { updateSession } from "~/use-cases/sessions/update.server";
import { viewSessionChat } from "~/use-cases/sessions/views.server";
import { id } from "~/wire/values";

const Query = z.object({
  session: id,
  before: numberIn(z.number().int().positive()).optional().catch(undefined),
});

export const loader = (args: LoaderFunctionArgs) => load(args, viewSessionChat, { input: Query });

export const action = (args: ActionFunctionArgs) => {
  const redirectTo = () => `/sessions/${args.params.session}/chat`;
  return act(args, {
    say: on(MessageInput, createMessage, { redirectTo }),
    "line.edit": on(LineEditInput, editMessage, { redirectTo }),
    "line.remove": on(LineChoice, removeMessage, { redirectTo }),
    "slow-mode": on(SlowModeInput, updateSession, { toast: "Slow mode was set.", redirectTo }),
  });
};

export const meta: MetaFunction = (args) => sessionMeta(args, "Chat");

export default function Chat() {
  const view = useLoaderData<typeof loader>();
  return <SessionChat view={view} posted={usePosted()} />;
}
