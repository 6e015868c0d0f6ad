import type { EventOf } from '@atrium/proto-events/event';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { publishWithoutOutbox } from '@atrium/service-kit/messaging/publish-without-outbox';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceContext } from '@atrium/service-kit/process/service-definition';
import type { Config } from '../config.ts';
import { processUnread } from './mailbox.ts';
import { type Replies, readReplyEmail } from './read-reply-email.ts';

/**
 * Polls the mailbox for RSVP replies, if one is configured. Every pod does; event ids are derived from the content, so that replies read
 * twice are deduplicated.
 */
export function startReplies(kit: ServiceContext<Config>, replies: Replies | undefined): PollingLoop | undefined {
  const { config, log, directory } = kit;
  const { REPLIES_IMAP_URL: url } = config;
  if (url === undefined || replies === undefined) return undefined;
  let messaging: Messaging | undefined;
  const loop = startPollingLoop({
    what: 'RSVP replies',
    intervalMs: config.REPLIES_POLL_INTERVAL_SECONDS * 1_000,
    log,
    async round() {
      // Until NATS and the directory are available, emails stay unread.
      const live = messaging;
      if (!live || !Number.isFinite(directory.ageMs())) return false;
      return processUnread(url, async ({ source }) => {
        const found = source ? await readReplyEmail(source, { ...replies, directory }) : [];
        // An invalid reply would be retried forever and block all later emails.
        const validReplies = found.filter(({ reply }) => meetingReplied.data.safeParse(reply).success);
        if (validReplies.length < found.length) log.warn('Skipped invalid RSVP reply');
        for (const { id, reply } of validReplies) await publish(live, id, reply);
        log.info({ replies: validReplies.length }, 'Processed RSVP reply email');
      });
    },
  });
  void kit.messaging.then((connected) => {
    messaging = connected;
    loop.wake();
  });
  return loop;
}

function publish(messaging: Messaging, id: string, data: EventOf<typeof meetingReplied>['data']): Promise<void> {
  const row = outboxRow({ event: meetingReplied, data, aggregate: data.calendarId, actorId: data.userId, id });
  return publishWithoutOutbox(messaging, 'notifications', row);
}
