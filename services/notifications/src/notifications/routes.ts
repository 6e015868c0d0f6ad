import * as contract from '@atrium/proto-events/http/notifications';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { listNotifications, markNotificationsRead } from './read-notifications.ts';

export const notificationRoutes = (deps: Deps) => [
  handle(contract.listNotifications, ({ query }, caller) =>
    deps.store.reach(() => listNotifications(deps, caller, query)),
  ),
  handle(contract.markNotificationsRead, ({ body }, caller) =>
    deps.store.reach(() => markNotificationsRead(deps, caller, body)),
  ),
];
