import type { EventOf } from '@atrium/proto-events/event';
import {
  accountActivated,
  accountRegistered,
  deviceAdded,
  invitationCreated,
  invitationRevoked,
  passwordChanged,
  passwordResetMade,
  passwordResetRequested,
  sessionRevoked,
} from '@atrium/proto-events/events/auth';
import { feedCreated } from '@atrium/proto-events/events/meetings';
import { recordedReaction } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { Mailing } from '../email/queue-emails.ts';
import type { EmailContent } from '../email/templates/email-content.ts';
import { actorName, findUsers, toRecipient } from '../users.ts';

/** A repeated invitation is a separate event with its own email; queued emails of the earlier one are suppressed (`supersededReason`). */
async function sendInvitation(deps: Deps, { id, requestId, occurredAt, data }: EventOf<typeof invitationCreated>) {
  const name = `${data.firstName} ${data.lastName}`.trim();
  await deps.queueEmails({
    id,
    requestId,
    occurredAt,
    kind: 'invitation',
    about: data.invitationId,
    content: {
      template: 'invitation',
      inviter: actorName(deps.directory, data.invitedBy),
      role: data.role,
      expiresAt: data.expiresAt,
      sealedUrl: data.sealedUrl,
    },
    recipients: [{ id: data.userId, name, firstName: data.firstName, address: data.email, timezone: 'UTC' }],
  });
}

/** Sends a reset link to the address of the account, even if the directory does not know the user yet. */
async function sendPasswordReset(
  deps: Deps,
  { id, requestId, occurredAt, data }: EventOf<typeof passwordResetRequested>,
) {
  const { timezone = 'UTC', firstName = '' } = deps.directory.user(data.userId) ?? {};
  await deps.queueEmails({
    id,
    requestId,
    occurredAt,
    kind: 'reset',
    about: data.resetId,
    content: { template: 'password-reset', expiresAt: data.expiresAt, sealedUrl: data.sealedUrl },
    recipients: [
      {
        ...{ id: data.userId, name: actorName(deps.directory, data.userId) ?? '', firstName },
        ...{ address: data.email, timezone },
      },
    ],
  });
}

const DAY_MS = 24 * 60 * 60_000;

type Facts = { id: string; requestId: string; occurredAt: string };

/** Skips users who have been deactivated or deleted since. */
async function sendSecurityEmail(
  deps: Deps,
  { id, requestId, occurredAt }: Facts,
  params: Pick<Mailing, 'kind' | 'about' | 'content'> & { userId: string },
) {
  const { userId, ...mailing } = params;
  const recipients = (await findUsers(deps.directory, [userId])).map(toRecipient);
  await deps.queueEmails({ id, requestId, occurredAt, ...mailing, recipients });
}

async function sendPasswordChanged(deps: Deps, event: EventOf<typeof passwordChanged>) {
  const { userId, device = null, address = null } = event.data;
  const content = { template: 'password-changed' as const, at: event.occurredAt, device, address };
  await sendSecurityEmail(deps, event, { userId, kind: 'security', about: userId, content });
}

async function sendNewDevice(deps: Deps, event: EventOf<typeof deviceAdded>) {
  const { userId, at, device, address } = event.data;
  if (await wasEmailedToday(deps, event)) return;
  const content = { template: 'new-device' as const, at, device, address };
  await sendSecurityEmail(deps, event, { userId, kind: 'security', about: userId, content });
}

/** Limits new-device emails to one per day for scripts, which have no device, and for the same browser at the same address. */
async function wasEmailedToday({ store }: Deps, { id, data }: EventOf<typeof deviceAdded>): Promise<boolean> {
  const { userId, at, device, address } = data;
  const isScripted = device === null;
  const content = { 'content.device': device, ...(!isScripted && { 'content.address': address }) };
  return wasEmailedWithin(store, { id, userId, at, template: 'new-device', withinMs: DAY_MS, content });
}

type EarlierEmail = {
  /** Id of the event whose own email is not counted. */
  id: string;
  userId: string;
  at: string;
  template: EmailContent['template'];
  withinMs: number;
  content?: object;
};

/** Whether a security email with this content was queued for the user within the last `withinMs`. */
async function wasEmailedWithin(store: Deps['store'], earlierEmail: EarlierEmail): Promise<boolean> {
  const { id, userId, at, template, withinMs, content } = earlierEmail;
  const since = new Date(Date.parse(at) - withinMs).toISOString();
  const emails = await store.emails.find({ about: userId, kind: 'security' }, { mailingId: 1 }).lean();
  const others = emails.map(({ mailingId }) => mailingId).filter((mailingId) => mailingId !== id);
  const matching = { 'content.template': template, 'content.at': { $gt: since, $lte: at }, ...content };
  return (await store.mailings.exists({ _id: { $in: others }, ...matching })) !== null;
}

async function sendResetLinkCreated(deps: Deps, event: EventOf<typeof passwordResetMade>) {
  const { userId, madeBy, expiresAt } = event.data;
  const administrator = actorName(deps.directory, madeBy);
  const content = { template: 'reset-link-made' as const, administrator, at: event.occurredAt, expiresAt };
  await sendSecurityEmail(deps, event, { userId, kind: 'security', about: userId, content });
}

/** Activity records store the user id; names are resolved on read. */
const aboutUser = ({ userId }: { userId: string }) => ({ resource: 'user', id: userId, title: '' });

export const accountReactions = (deps: Deps) => [
  recordedReaction(deps, invitationCreated, { about: aboutUser, effect: sendInvitation }),
  recordedReaction(deps, invitationRevoked, { about: aboutUser }),
  recordedReaction(deps, accountRegistered, { about: aboutUser }),
  recordedReaction(deps, accountActivated, { about: aboutUser }),
  recordedReaction(deps, passwordResetRequested, { about: aboutUser, effect: sendPasswordReset }),
  recordedReaction(deps, passwordResetMade, { about: aboutUser, effect: sendResetLinkCreated }),
  recordedReaction(deps, passwordChanged, { about: aboutUser, effect: sendPasswordChanged }),
];

/** Has its own subscription, which starts with new events, so that old devices trigger no email. */
export const accountSafetyReactions = (deps: Deps) => [
  recordedReaction(deps, sessionRevoked, {
    about: aboutUser,
    details: ({ sessionId, reason }) => ({ sessionId, reason }),
  }),
  recordedReaction(deps, deviceAdded, { about: aboutUser, effect: sendNewDevice }),
];

/** Links replaced within this window are reported by one email. */
const COALESCE_MS = 10 * 60_000;

async function sendFeedCreated(deps: Deps, event: EventOf<typeof feedCreated>): Promise<void> {
  const { userId, at } = event.data;
  const earlier = { id: event.id, userId, at, template: 'feed-created' as const, withinMs: COALESCE_MS };
  if (await wasEmailedWithin(deps.store, earlier)) return;
  const content = { template: 'feed-created' as const, at };
  await sendSecurityEmail(deps, event, { userId, kind: 'security', about: userId, content });
}

export const feedReactions = (deps: Deps) => [
  recordedReaction(deps, feedCreated, { about: aboutUser, effect: sendFeedCreated }),
];
