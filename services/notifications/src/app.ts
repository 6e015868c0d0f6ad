import { type Subscription, subscription } from '@atrium/service-kit/messaging/subscription';
import type { StorelessService } from '@atrium/service-kit/service/service-definition';
import { activityRoutes } from './activity/routes.ts';
import { type Config, sealingKeys } from './config.ts';
import type { Deps } from './deps.ts';
import { createMailer } from './email/mailer.ts';
import { startOutbox } from './email/outbox.ts';
import { accountReactions, accountSafetyReactions, feedReactions } from './events/account-events.ts';
import { documentReactions } from './events/document-events.ts';
import { meetingReactions } from './events/meeting-events.ts';
import { projectReactions } from './events/project-events.ts';
import { reminderReactions } from './events/reminder-events.ts';
import { recordOwnSecurity, securityReactions } from './events/security-events.ts';
import { taskReactions } from './events/task-events.ts';
import { administratorReactions, userReactions } from './events/user-events.ts';
import { createNotificationPublisher } from './notification-publisher.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { startReplies } from './replies/reply-loop.ts';
import { createStore } from './store/store.ts';

export const notificationsService: StorelessService<Config> = {
  name: 'notifications',
  create(kit) {
    const { config, log, directory } = kit;
    const store = createStore(config.MONGO_URL, log);
    const mailer = createMailer({
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
      connections: config.SMTP_CONNECTIONS,
      timeoutSeconds: config.SMTP_TIMEOUT_SECONDS,
    });
    const replies = repliesOf(config);
    const replyLoop = startReplies(kit, replies);
    const outbox = startOutbox({ store, mailer, kit, replies });
    const notificationPublisher = createNotificationPublisher(kit.messaging, log);
    const deps: Deps = {
      store,
      directory,
      notificationPublisher,
      queueEmails: outbox.queue,
      senderAddress: config.MAIL_ADDRESS,
    };
    return {
      routes: [...notificationRoutes(deps), ...activityRoutes(deps)],
      subscriptions: subscriptions(deps),
      checks: [
        { name: 'mongodb', essential: false, check: store.check },
        { name: 'smtp', essential: false, check: mailer.check },
      ],
      storeSecurityRecord: ({ payload }) => store.reach(() => recordOwnSecurity(store, payload)),
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
function repliesOf(config: Config) {
  const { REPLIES_ADDRESS: address } = config;
  return address === undefined ? undefined : { address, keys: sealingKeys(config) };
}

function subscriptions(deps: Deps): Subscription[] {
  return [
    subscription({ name: 'accounts', reactions: accountReactions(deps), inbox: false, from: 'all' }),
    // Starts with new events: administrators appointed earlier trigger no email.
    subscription({ name: 'administrators', reactions: administratorReactions(deps), inbox: false }),
    subscription({ name: 'account-safety', reactions: accountSafetyReactions(deps), inbox: false }),
    subscription({ name: 'people', reactions: userReactions(deps), inbox: false, from: 'all' }),
    subscription({ name: 'security', reactions: securityReactions(deps), inbox: false, from: 'all' }),
    subscription({
      name: 'projects',
      reactions: [...projectReactions(deps), ...taskReactions(deps)],
      inbox: false,
      from: 'all',
    }),
    subscription({
      name: 'meetings',
      reactions: [...meetingReactions(deps), ...reminderReactions(deps), ...feedReactions(deps)],
      inbox: false,
      from: 'all',
    }),
    subscription({ name: 'documents', reactions: documentReactions(deps), inbox: false, from: 'all' }),
  ];
}
