import * as activity from '@atrium/proto-events/http/activity';
import * as notifications from '@atrium/proto-events/http/notifications';
import { handle } from '@atrium/service-kit/http/handle';
import { type Subscription, subscription } from '@atrium/service-kit/messaging/subscription';
import type { ServiceWithoutPostgres } from '@atrium/service-kit/service/service-definition';
import { listActivity } from './activity/list-activity.ts';
import { type Config, sealingKeys } from './config.ts';
import type { Deps } from './deps.ts';
import { createMailer } from './email/mailer.ts';
import { startOutbox } from './email/outbox.ts';
import { accountHandlers, accountSafetyHandlers, feedHandlers } from './events/account-events.ts';
import { documentHandlers } from './events/document-events.ts';
import { meetingHandlers } from './events/meeting-events.ts';
import { projectHandlers } from './events/project-events.ts';
import { reminderHandlers } from './events/reminder-events.ts';
import { recordOwnSecurity, securityHandlers } from './events/security-events.ts';
import { taskHandlers } from './events/task-events.ts';
import { administratorHandlers, userHandlers } from './events/user-events.ts';
import { createNotificationPublisher } from './notification-publisher.ts';
import { listNotifications, markNotificationsRead } from './notifications/read-notifications.ts';
import { startReplyLoop } from './replies/reply-loop.ts';
import { createStore } from './store/store.ts';

export const notificationsService: ServiceWithoutPostgres<Config> = {
  name: 'notifications',
  create(context) {
    const { config, log, directory } = context;
    const store = createStore(config.MONGO_URL, log);
    const mailer = createMailer({
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
      connections: config.SMTP_CONNECTIONS,
      timeoutSeconds: config.SMTP_TIMEOUT_SECONDS,
    });
    const replies = toReplies(config);
    const replyLoop = startReplyLoop(context, replies);
    const outbox = startOutbox({ store, mailer, context, replies });
    const notificationPublisher = createNotificationPublisher(context.messaging, log);
    const deps: Deps = {
      store,
      directory,
      notificationPublisher,
      queueEmails: outbox.queue,
      senderAddress: config.MAIL_ADDRESS,
    };
    return {
      routes: routes(deps),
      subscriptions: subscriptions(deps),
      checks: [
        { name: 'mongodb', essential: false, check: store.check },
        { name: 'smtp', essential: false, check: mailer.check },
      ],
      storeSecurityRecord: ({ payload }) => store.run(() => recordOwnSecurity(store, payload)),
      async close() {
        await Promise.all([outbox.close(), replyLoop?.close()]);
      },
      async end() {
        mailer.close();
        await store.close();
      },
    };
  },
};

/** The address that receives RSVP replies and the keys that sign it; undefined if replies are not read. */
function toReplies(config: Config) {
  const { REPLIES_ADDRESS: address } = config;
  return address === undefined ? undefined : { address, keys: sealingKeys(config) };
}

const routes = (deps: Deps) => [
  handle(notifications.listNotifications, ({ query }, caller) =>
    deps.store.run(() => listNotifications(deps, caller, query)),
  ),
  handle(notifications.markNotificationsRead, ({ body }, caller) =>
    deps.store.run(() => markNotificationsRead(deps, caller, body)),
  ),
  handle(activity.listActivity, ({ query }) => deps.store.run(() => listActivity(deps, query))),
];

function subscriptions(deps: Deps): Subscription[] {
  return [
    subscription({ name: 'accounts', reactions: accountHandlers(deps), inbox: false, from: 'all' }),
    // Starts with new events: administrators appointed earlier trigger no email.
    subscription({ name: 'administrators', reactions: administratorHandlers(deps), inbox: false }),
    subscription({ name: 'account-safety', reactions: accountSafetyHandlers(deps), inbox: false }),
    subscription({ name: 'people', reactions: userHandlers(deps), inbox: false, from: 'all' }),
    subscription({ name: 'security', reactions: securityHandlers(deps), inbox: false, from: 'all' }),
    subscription({
      name: 'projects',
      reactions: [...projectHandlers(deps), ...taskHandlers(deps)],
      inbox: false,
      from: 'all',
    }),
    subscription({
      name: 'meetings',
      reactions: [...meetingHandlers(deps), ...reminderHandlers(deps), ...feedHandlers(deps)],
      inbox: false,
      from: 'all',
    }),
    subscription({ name: 'documents', reactions: documentHandlers(deps), inbox: false, from: 'all' }),
  ];
}
