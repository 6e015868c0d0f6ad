import type { EventOf } from '@atrium/proto-events/event';
import {
  accountActivated,
  accountRegistered,
  accountSecured,
  deviceAdded,
  invitationCreated,
  invitationRevoked,
  passwordChanged,
  passwordResetCreated,
  passwordResetRequested,
  sessionRevoked,
} from '@atrium/proto-events/events/auth';
import { feedCreated } from '@atrium/proto-events/events/meetings';
import { on } from '@atrium/service-kit/messaging/subscription';
import { createRecordedHandler, userSubject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { Mailing } from '../email/queue-emails.ts';
import type { EmailContent } from '../email/templates/email-content.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { endSubscriptionsBefore, endSubscriptionsOf } from '../push/manage-subscriptions.ts';
import { findActorName, findUsers, toRecipient } from '../users/find-users.ts';

/**
 * A resent invitation is a separate event with its own email; queued emails of earlier events are not sent
 * (`getSupersededReason`).
 */
async function sendInvitation(deps: Deps, event: EventOf<typeof invitationCreated>) {
  const { data } = event;
  const name = `${data.firstName} ${data.lastName}`.trim();
  await deps.queueEmails({
    event,
    kind: 'invitation',
    subjectId: data.invitationId,
    content: {
      template: 'invitation',
      inviter: findActorName(deps.directory, data.invitedBy),
      role: data.role,
      expiresAt: data.expiresAt,
      sealedUrl: data.sealedUrl,
    },
    recipients: [{ id: data.userId, name, firstName: data.firstName, address: data.email, timezone: 'UTC' }],
  });
}

async function sendPasswordReset(deps: Deps, event: EventOf<typeof passwordResetRequested>) {
  const { data } = event;
  const { timezone = 'UTC', firstName = '' } = deps.directory.user(data.userId) ?? {};
  const name = findActorName(deps.directory, data.userId) ?? '';
  await deps.queueEmails({
    event,
    kind: 'reset',
    subjectId: data.resetId,
    content: { template: 'password-reset', expiresAt: data.expiresAt, sealedUrl: data.sealedUrl },
    recipients: [{ id: data.userId, name, firstName, address: data.email, timezone }],
  });
}

type AccountEvent = Mailing['event'] & { type: string; data: { userId: string } };
type SecurityEvent = AccountEvent & { data: { at: string } };

const OWN_ACCOUNT = 'your account';

/** In the app, by push, and by email. `title` follows the words of the kind, such as "New sign-in from". */
async function notifyOwner(
  deps: Deps,
  event: AccountEvent,
  { content, title = OWN_ACCOUNT }: { content: EmailContent; title?: string },
): Promise<void> {
  const { id, type, data } = event;
  const users = await findUsers(deps.directory, [data.userId]);
  await notifyUsers(deps, {
    // Omits the actor, because the account may have been taken over.
    event: { ...event, actorId: null },
    kind: type,
    notice: { kind: 'security', reason: 'own_account' },
    email: 'own',
    // A subject of its own, so that events are not merged.
    subject: { resource: 'account', id, title },
    userIds: users.map(({ _id }) => _id),
  });
  const recipients = users.map(toRecipient);
  await deps.queueEmails({ event, kind: 'security', subjectId: data.userId, content, recipients });
}

async function notifyOfPassword(deps: Deps, event: EventOf<typeof passwordChanged>) {
  const { device = null, address = null } = event.data;
  await notifyOwner(deps, event, { content: { template: 'password-changed', at: event.occurredAt, device, address } });
}

const DAY_MS = 24 * 60 * 60_000;

/** Notifies at most once per day of the same browser at the same address, and for scripts, which have no device. */
async function notifyOfDevice(deps: Deps, event: EventOf<typeof deviceAdded>) {
  const { at, device, address } = event.data;
  const contentFilter = { 'content.device': device, ...(device !== null && { 'content.address': address }) };
  if (await wasEmailedWithin(deps, event, { template: 'new-device', withinMs: DAY_MS, contentFilter })) return;
  await notifyOwner(deps, event, {
    content: { template: 'new-device', at, device, address },
    title: device ?? 'a script or another program',
  });
}

const COALESCE_MS = 10 * 60_000;

async function notifyOfFeed(deps: Deps, event: EventOf<typeof feedCreated>): Promise<void> {
  if (await wasEmailedWithin(deps, event, { template: 'feed-created', withinMs: COALESCE_MS })) return;
  await notifyOwner(deps, event, { content: { template: 'feed-created', at: event.data.at } });
}

type EarlierEmail = { template: EmailContent['template']; withinMs: number; contentFilter?: object };

async function wasEmailedWithin(
  { store }: Deps,
  { id, data: { userId, at } }: SecurityEvent,
  { template, withinMs, contentFilter }: EarlierEmail,
): Promise<boolean> {
  const since = new Date(Date.parse(at) - withinMs).toISOString();
  const emails = await store.emails.find({ about: userId, kind: 'security' }, { mailingId: 1 }).lean();
  const otherIds = emails.map(({ mailingId }) => mailingId).filter((mailingId) => mailingId !== id);
  const filter = { 'content.template': template, 'content.at': { $gt: since, $lte: at }, ...contentFilter };
  return (await store.mailings.exists({ _id: { $in: otherIds }, ...filter })) !== null;
}

async function notifyOfResetLink(deps: Deps, event: EventOf<typeof passwordResetCreated>) {
  const { madeBy: creatorId, expiresAt } = event.data;
  const administrator = findActorName(deps.directory, creatorId);
  const at = event.occurredAt;
  await notifyOwner(deps, event, { content: { template: 'reset-link-created', administrator, at, expiresAt } });
}

export const accountHandlers = (deps: Deps) => [
  createRecordedHandler(deps, invitationCreated, { toSubject: userSubject, sideEffect: sendInvitation }),
  createRecordedHandler(deps, invitationRevoked, { toSubject: userSubject }),
  createRecordedHandler(deps, accountRegistered, { toSubject: userSubject }),
  createRecordedHandler(deps, accountActivated, { toSubject: userSubject }),
  createRecordedHandler(deps, passwordResetRequested, { toSubject: userSubject, sideEffect: sendPasswordReset }),
  createRecordedHandler(deps, passwordResetCreated, { toSubject: userSubject, sideEffect: notifyOfResetLink }),
  createRecordedHandler(deps, passwordChanged, { toSubject: userSubject, sideEffect: notifyOfPassword }),
];

/** Has its own subscription, which starts with new events, so that old devices trigger no email. */
export const accountSafetyHandlers = (deps: Deps) => [
  createRecordedHandler(deps, sessionRevoked, {
    toSubject: userSubject,
    toDetails: ({ sessionId, reason }) => ({ sessionId, reason }),
    sideEffect: endSubscriptionsOf,
  }),
  // Its sessions are recorded one by one.
  on(accountSecured, (event) => deps.store.run(() => endSubscriptionsBefore(deps, event))),
  createRecordedHandler(deps, deviceAdded, { toSubject: userSubject, sideEffect: notifyOfDevice }),
];

export const feedHandlers = (deps: Deps) => [
  createRecordedHandler(deps, feedCreated, { toSubject: userSubject, sideEffect: notifyOfFeed }),
];
