import { subjectOf } from '../event.ts';
import * as notifications from '../events/notifications.ts';
import { type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';

const notification = ({ personIds: users, about }: { personIds: string[]; about: string }): LiveUpdate => ({
  audience: { users },
  change: { resource: 'notification', id: about, action: 'updated', version: 0, tags: ['notifications'] },
});

export const FANOUT: readonly FanoutRow[] = [row(notifications.notificationChanged, notification)];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(notifications.meetingReplied)]:
    'the meetings service publishes meetings.meeting.responded, as for an RSVP in the app',
  [subjectOf(notifications.taskReplied)]: 'the projects service publishes projects.task.commented, as for any comment',
  [subjectOf(notifications.messageReplied)]: 'the chat service publishes chat.message.sent or chat.reply.sent',
  [subjectOf(notifications.emailsUnsubscribed)]:
    'the users service publishes users.user.updated, as for a change in the app',
  [subjectOf(notifications.emailDelivered)]:
    'the auth service publishes auth.invitation.delivered for invitations; no screen lists other emails',
};
