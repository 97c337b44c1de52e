/** The owner's routes for devices that get notifications. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { parseUntilError } from "../../schema/core/boundedText.ts";
import type { PushState } from "../../schema/api/mailResponses.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { MAX_DASHBOARD_JSON_BYTES, readJson } from "../http/body.ts";
import { describeBrowser } from "../http/visitor.ts";
import { invalidInput, notFound } from "../shared/errors.ts";
import { findExternalUrlProblem } from "./externalRequest.ts";
import type { PushNotifications } from "./push.ts";
import { arePushKeysValid } from "./pushCrypto.ts";

interface PushRoutesContext {
  readonly guard: AccessGuard;
  readonly push: PushNotifications;
}

/** A browser's subscription, in the format of `PushSubscription.toJSON()`. */
const subscriptionSchema = v.object({
  endpoint: v.pipe(v.string(), v.maxLength(2000)),
  keys: v.object({
    p256dh: v.pipe(v.string(), v.maxLength(200)),
    auth: v.pipe(v.string(), v.maxLength(100)),
  }),
});

/**
 * `GET /api/push` returns the site's key and the owner's devices. `POST` adds a device. It needs a confirmed password,
 * since the device gets notifications even after a logout.
 */
export function createPushRoutes({ guard, push }: PushRoutesContext) {
  const readState = async (userId: string): Promise<PushState> => ({
    key: await push.getPublicKey(),
    devices: push.listDevices(userId),
  });
  return new Elysia({ prefix: "/api/push" })
    .use(guard)
    .get("", ({ owner }) => readState(owner.userId), { owner: true })
    .post(
      "",
      async ({ request, owner, logAudit }) => {
        const outcome = parseUntilError(
          subscriptionSchema,
          await readJson(request, MAX_DASHBOARD_JSON_BYTES),
        );
        if (!outcome.success || !arePushKeysValid(outcome.output.keys))
          throw invalidInput(INVALID_SUBSCRIPTION_MESSAGE, {});
        const { endpoint, keys } = outcome.output;
        const problem = await findExternalUrlProblem(endpoint, push.canUsePrivateNetwork);
        if (problem !== undefined) throw invalidInput(problem, {});
        const name = describeBrowser(request.headers.get("user-agent"));
        const { userId } = owner;
        await push.addDevice({ userId, endpoint, ...keys, name, key: await push.getPublicKey() });
        logAudit("settings", "turned on notifications on a device", name);
        return readState(userId);
      },
      { owner: "reauthenticated", parse: "none" },
    )
    .delete(
      "/:id",
      async ({ params: { id }, owner, logAudit }) => {
        if (!(await push.removeDevice(owner.userId, id))) throw notFound(NO_DEVICE_MESSAGE);
        logAudit("settings", "turned off notifications on a device");
        return readState(owner.userId);
      },
      { owner: true },
    );
}

const INVALID_SUBSCRIPTION_MESSAGE =
  "The browser sent an invalid push subscription. Update the browser, then try again.";
const NO_DEVICE_MESSAGE = "This device was already removed.";
