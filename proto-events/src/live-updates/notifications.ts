import { subjectOf } from '../event.ts';
import * as notifications from '../events/notifications.ts';
import type { Topic } from '../realtime.ts';
import { type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';

/** Uses the topic of each user, which that user's browsers subscribe to for the unread count. */
const notification = ({ personIds: userIds, about }: { personIds: string[]; about: string }): LiveUpdate => ({
  topics: userIds.map((userId): Topic => `person:${userId}`),
  audience: { users: userIds },
  changes: [{ resource: 'notification', id: about, action: 'updated', version: 0 }],
});

export const FANOUT: readonly FanoutRow[] = [row(notifications.notificationChanged, notification)];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(notifications.meetingReplied)]:
    'the meetings service publishes meetings.meeting.responded, as for an RSVP in the app',
  [subjectOf(notifications.emailDelivered)]:
    'the auth service publishes auth.invitation.delivered for invitations; no screen lists other emails',
};
