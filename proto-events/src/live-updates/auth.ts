import { subjectOf } from '../event.ts';
import * as auth from '../events/auth.ts';
import { type Action, type ExemptEvents, type FanoutRow, type LiveUpdate, row, withAdmins } from './live-update.ts';

/** Invitations have no version, so their lists are refetched as a whole. */
const invitation =
  (action: Action) =>
  (data: { invitationId: string }): LiveUpdate => ({
    audience: withAdmins(),
    change: { resource: 'invitation', id: data.invitationId, action, version: 0, tags: ['invitations'] },
  });

const session =
  (action: Action) =>
  (data: { userId: string; sessionId: string }): LiveUpdate => ({
    audience: { users: [data.userId] },
    change: { resource: 'session', id: data.sessionId, action, version: 0, tags: ['sessions'] },
  });

export const FANOUT: readonly FanoutRow[] = [
  row(auth.invitationCreated, invitation('created')),
  row(auth.invitationDelivered, invitation('updated')),
  row(auth.invitationRevoked, invitation('deleted')),
  row(auth.sessionStarted, session('created')),
  row(auth.sessionRevoked, session('deleted')),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(auth.accountRegistered)]: 'the users service publishes users.user.created in response',
  [subjectOf(auth.accountActivated)]: 'the users service publishes users.user.updated in response',
  [subjectOf(auth.passwordResetRequested)]: 'no screen shows who requested a link',
  [subjectOf(auth.passwordResetCreated)]: 'no screen shows links that were created',
  [subjectOf(auth.deviceAdded)]: 'its session is published by auth.session.started, and the user gets an email',
  [subjectOf(auth.accountSecured)]: 'the sessions that end are published one by one',
  [subjectOf(auth.passwordChanged)]: 'the sessions that end are published one by one',
};
