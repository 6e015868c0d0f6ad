import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { sessionsEnded, userDeleted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { removeAccount } from './deletion/on-user-deleted.ts';
import { recordDelivery } from './invitations/on-email-delivered.ts';
import { endUserSessions } from './sessions/on-sessions-ended.ts';

export const subscriptions = [
  subscription({
    name: 'ended-sessions',
    from: 'all',
    handlers: [on(sessionsEnded, endUserSessions), on(userDeleted, removeAccount)],
  }),
  subscription({ name: 'deliveries', from: 'all', handlers: [on(emailDelivered, recordDelivery)] }),
];
