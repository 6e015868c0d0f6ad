import type { EventOf } from '@atrium/proto-events/event';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { publishWithoutOutbox } from '@atrium/service-kit/messaging/publish-without-outbox';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceContext } from '@atrium/service-kit/process/service-definition';
import type { Config } from '../config.ts';
import { takeUnread } from './mailbox.ts';
import { type Replies, readReplyMail } from './read-reply-mail.ts';

/**
 * Reads answers by mail for as long as the process lives, where a mailbox is configured; every pod does, and what both have read is one
 * event: its id is made from what it says, for JetStream and for the inbox of whoever takes it.
 */
export function startReplies(kit: ServiceContext<Config>, replies: Replies | undefined): PollingLoop | undefined {
  const { config, log, directory } = kit;
  const { REPLIES_IMAP_URL: url } = config;
  if (url === undefined || replies === undefined) return undefined;
  let messaging: Messaging | undefined;
  const loop = startPollingLoop({
    what: 'answers by mail',
    everyMs: config.REPLIES_POLL_INTERVAL_SECONDS * 1_000,
    log,
    async round() {
      // What cannot be told yet, or from somebody who is not known yet, stays unread.
      const live = messaging;
      if (!live || !Number.isFinite(directory.ageMs())) return false;
      return takeUnread(url, async ({ source }) => {
        const found = source ? await readReplyMail(source, { ...replies, directory }) : [];
        // It comes again and again until it is marked as read, and keeps all that came after it waiting.
        const answers = found.filter(({ reply }) => meetingReplied.data.safeParse(reply).success);
        if (answers.length < found.length) log.warn('an answer by mail that no event can carry was left aside');
        for (const { id, reply } of answers) await publish(live, id, reply);
        log.info({ answers: answers.length }, 'a mail to the address of answers was read');
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
