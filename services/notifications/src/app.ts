import { messageRejected } from '@atrium/proto-events/events/chat';
import { commentRejected } from '@atrium/proto-events/events/projects';
import { on, type Subscription, subscription } from '@atrium/service-kit/messaging/subscription';
import { startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceWithoutPostgres } from '@atrium/service-kit/service/service-definition';
import { type Config, sealingKeys } from './config.ts';
import type { Deps } from './deps.ts';
import { sendDigests } from './digests/send-digests.ts';
import { startEmailQueue } from './email/email-queue.ts';
import { createMailer } from './email/mailer.ts';
import type { Replies } from './email/reply-address.ts';
import { accountHandlers, accountSafetyHandlers, feedHandlers } from './handlers/on-account-events.ts';
import { chatHandlers } from './handlers/on-chat-events.ts';
import { documentHandlers } from './handlers/on-document-events.ts';
import { reminderHandlers } from './handlers/on-meeting-due.ts';
import { meetingHandlers } from './handlers/on-meeting-events.ts';
import { projectHandlers } from './handlers/on-project-events.ts';
import { recordOwnSecurity, securityHandlers } from './handlers/on-security-events.ts';
import { taskHandlers } from './handlers/on-task-events.ts';
import { administratorHandlers, userHandlers } from './handlers/on-user-events.ts';
import { createNotificationPublisher } from './notifications/notification-publisher.ts';
import { createVisitRecorder } from './notifications/visits.ts';
import { startPushQueue } from './push/push-queue.ts';
import { pushRoutes } from './push/push-routes.ts';
import { toPushSettings } from './push/push-settings.ts';
import { startReplyLoop } from './replies/reply-loop.ts';
import { emailRejection } from './replies/reply-problems.ts';
import { notificationsRoutes } from './routes.ts';
import { createStore, isKnownUnavailable } from './store/store.ts';
import { unsubscribeRoutes } from './unsubscribe/unsubscribe.ts';

const DIGEST_INTERVAL_MS = 2_000;

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
    const emailQueue = startEmailQueue({ store, mailer, context, replies });
    const replyLoop = startReplyLoop(context, { store, replies, queueEmails: emailQueue.queue });
    const pushSettings = toPushSettings(config);
    const pushQueue = startPushQueue({ store, settings: pushSettings, context });
    const notificationPublisher = createNotificationPublisher({
      messaging: context.messaging,
      log,
      queuePushes: pushQueue.queue,
    });
    const visits = createVisitRecorder(store, log);
    const deps: Deps = {
      store,
      directory,
      notificationPublisher,
      recordVisit: visits.record,
      queueEmails: emailQueue.queue,
      senderAddress: config.MAIL_ADDRESS,
      pushSettings,
    };
    const digestLoop = startPollingLoop({
      name: 'digests',
      intervalMs: DIGEST_INTERVAL_MS,
      isReportedElsewhere: isKnownUnavailable,
      log,
      round: () => sendDigests(deps),
    });
    return {
      routes: [
        ...notificationsRoutes(deps),
        ...pushRoutes(deps),
        ...unsubscribeRoutes({ messaging: context.messaging, keys: sealingKeys(config) }),
      ],
      subscriptions: subscriptions(deps),
      checks: [
        { name: 'mongodb', essential: false, check: store.check },
        { name: 'smtp', essential: false, check: mailer.check },
      ],
      storeSecurityRecord: ({ payload }) => store.run(() => recordOwnSecurity(store, payload)),
      async beforeShutdown() {
        await digestLoop.close();
        await Promise.all([visits.close(), emailQueue.close(), pushQueue.close(), replyLoop?.close()]);
      },
      async afterShutdown() {
        mailer.close();
        await store.close();
      },
    };
  },
};

/** Undefined if replies are not read. */
function toReplies(config: Config): Replies | undefined {
  const { REPLIES_ADDRESS: address } = config;
  return address === undefined ? undefined : { address, keys: sealingKeys(config) };
}

function subscriptions(deps: Deps): Subscription[] {
  return [
    subscription({ name: 'accounts', handlers: accountHandlers(deps), inbox: false, from: 'all' }),
    // Starts with new events: administrators appointed earlier trigger no email.
    subscription({ name: 'administrators', handlers: administratorHandlers(deps), inbox: false }),
    subscription({ name: 'account-safety', handlers: accountSafetyHandlers(deps), inbox: false }),
    subscription({ name: 'people', handlers: userHandlers(deps), inbox: false, from: 'all' }),
    subscription({ name: 'security', handlers: securityHandlers(deps), inbox: false, from: 'all' }),
    subscription({
      name: 'projects',
      handlers: [...projectHandlers(deps), ...taskHandlers(deps), on(commentRejected, emailRejection(deps))],
      inbox: false,
      from: 'all',
    }),
    subscription({
      name: 'meetings',
      handlers: [...meetingHandlers(deps), ...reminderHandlers(deps), ...feedHandlers(deps)],
      inbox: false,
      from: 'all',
    }),
    subscription({ name: 'documents', handlers: documentHandlers(deps), inbox: false, from: 'all' }),
    subscription({
      name: 'chat',
      handlers: [...chatHandlers(deps), on(messageRejected, emailRejection(deps))],
      inbox: false,
      from: 'all',
    }),
  ];
}
