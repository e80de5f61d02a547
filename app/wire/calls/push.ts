// Pushes to browsers: POST and DELETE /account/push (N-38).
import { z } from "zod";
import { oneLine } from "~/domain/text-fields";
import { call, fields, nothing } from "../call";

/** Base64url of 65 bytes and of 16 bytes, as browsers write them. */
const P256DH = /^B[\w-]{86}=?$/;
const AUTH = /^[\w-]{22}(==)?$/;

export const pushCalls = {
  addSubscription: call("POST /account/push", "Turn pushes on in a browser", {
    scope: "none",
    limits: ["change-push"],
    input: fields({
      body: {
        endpoint: oneLine().min(1).max(2000),
        /** Browsers send it. It is unused, because a push to an expired subscription fails. */
        expirationTime: z.number().nullish(),
        keys: z.object({ p256dh: oneLine().regex(P256DH), auth: oneLine().regex(AUTH) }),
      },
    }).transform(({ endpoint, keys }) => ({ endpoint, ...keys })),
    status: 201,
    bodyLimit: 16 * 1024,
    answer: ({ endpoint }: { endpoint: string }) => ({ endpoint }),
  }),
  removeSubscription: call("DELETE /account/push", "Turn pushes off in a browser", {
    scope: "none",
    input: nothing,
    status: 204,
    answer: () => null,
  }),
};
