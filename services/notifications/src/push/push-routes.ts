import * as push from '@atrium/proto-events/http/notices/push';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { getPushKey, subscribeToPush, unsubscribeFromPush } from './manage-subscriptions.ts';

export const pushRoutes = (deps: Deps) => [
  handle(push.getPushKey, async () => getPushKey(deps)),
  handle(push.subscribeToPush, ({ body }, caller) => deps.store.run(() => subscribeToPush(deps, caller, body))),
  handle(push.unsubscribeFromPush, ({ params }, caller) =>
    deps.store.run(() => unsubscribeFromPush(deps, caller, params)),
  ),
];
