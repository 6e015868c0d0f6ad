import * as activity from '@atrium/proto-events/http/activity';
import * as notifications from '@atrium/proto-events/http/notifications';
import { handle } from '@atrium/service-kit/http/handle';
import { listActivity } from './activity/list-activity.ts';
import { readActivityHistory } from './activity/read-activity-history.ts';
import type { Deps } from './deps.ts';
import {
  listNotifications,
  markNotificationsRead,
  markNotificationsUnread,
} from './notifications/read-notifications.ts';

export const notificationsRoutes = (deps: Deps) => [
  handle(notifications.listNotifications, ({ query }, caller) =>
    deps.store.run(() => listNotifications(deps, caller, query)),
  ),
  handle(notifications.markNotificationsRead, ({ body }, caller) =>
    deps.store.run(() => markNotificationsRead(deps, caller, body)),
  ),
  handle(notifications.markNotificationsUnread, ({ body }, caller) =>
    deps.store.run(() => markNotificationsUnread(deps, caller, body)),
  ),
  handle(activity.listActivity, ({ query }) => deps.store.run(() => listActivity(deps, query))),
  handle(activity.getActivityHistory, ({ query }) => deps.store.run(() => readActivityHistory(deps, query))),
];
