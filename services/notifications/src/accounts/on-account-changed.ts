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
import { recordedReaction } from '../activity/react.ts';
import type { Deps } from '../deps.ts';
import type { MailContent } from '../email/mail-content.ts';
import type { Mailing } from '../email/queue-mails.ts';
import { actorName, findPeople, toRecipient } from '../people.ts';

/**
 * Mails the link to who was invited. Sending an invitation again is an event, and a mail, of its own; mails that still wait are kept back
 * by what is recorded here, see `isOvertaken`.
 */
export async function mailInvitation(
  deps: Deps,
  { id, requestId, occurredAt, data }: EventOf<typeof invitationCreated>,
) {
  const name = `${data.firstName} ${data.lastName}`.trim();
  await deps.queueMails({
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

/** Mails a link to who asked for a new password; it goes to the address of the account, whatever else is known of the person. */
export async function mailReset(
  deps: Deps,
  { id, requestId, occurredAt, data }: EventOf<typeof passwordResetRequested>,
) {
  const { timezone = 'UTC', firstName = '' } = deps.directory.user(data.userId) ?? {};
  await deps.queueMails({
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

/** Mails one person about their own account. Nobody is told who was deleted or deactivated since. */
export async function mailOwner(
  deps: Deps,
  { id, requestId, occurredAt }: Facts,
  given: Pick<Mailing, 'kind' | 'about' | 'content'> & { userId: string },
) {
  const { userId, ...mailing } = given;
  const recipients = (await findPeople(deps.directory, [userId])).map(toRecipient);
  await deps.queueMails({ id, requestId, occurredAt, ...mailing, recipients });
}

async function mailPasswordChange(deps: Deps, event: EventOf<typeof passwordChanged>) {
  const { userId, device = null, address = null } = event.data;
  const content = { template: 'password-changed' as const, at: event.occurredAt, device, address };
  await mailOwner(deps, event, { userId, kind: 'security', about: userId, content });
}

async function mailNewDevice(deps: Deps, event: EventOf<typeof deviceAdded>) {
  const { userId, at, device, address } = event.data;
  if (await wasMailedToday(deps, event)) return;
  const content = { template: 'new-device' as const, at, device, address };
  await mailOwner(deps, event, { userId, kind: 'security', about: userId, content });
}

/**
 * A script that signs in for each of its runs is a new device each time: its owner is notified once a day, and so is somebody who signs in
 * again and again by the same browser from the same address. A browser is announced however many scripts there are.
 */
async function wasMailedToday({ store }: Deps, { id, data }: EventOf<typeof deviceAdded>): Promise<boolean> {
  const { userId, at, device, address } = data;
  const isScripted = device === null;
  const content = { 'content.device': device, ...(!isScripted && { 'content.address': address }) };
  return wasMailedBefore(store, { id, userId, at, template: 'new-device', withinMs: DAY_MS, content });
}

type Earlier = {
  /** Of the event whose email is not counted. */
  id: string;
  userId: string;
  at: string;
  template: MailContent['template'];
  withinMs: number;
  content?: object;
};

/** Whether a security email with that content was queued for the user for something that happened shortly before. */
export async function wasMailedBefore(store: Deps['store'], earlier: Earlier): Promise<boolean> {
  const { id, userId, at, template, withinMs, content } = earlier;
  const since = new Date(Date.parse(at) - withinMs).toISOString();
  const emails = await store.mails.find({ about: userId, kind: 'security' }, { mailingId: 1 }).lean();
  const others = emails.map(({ mailingId }) => mailingId).filter((mailingId) => mailingId !== id);
  const same = { 'content.template': template, 'content.at': { $gt: since, $lte: at }, ...content };
  return (await store.mailings.exists({ _id: { $in: others }, ...same })) !== null;
}

async function mailResetLinkMade(deps: Deps, event: EventOf<typeof passwordResetMade>) {
  const { userId, madeBy, expiresAt } = event.data;
  const administrator = actorName(deps.directory, madeBy);
  const content = { template: 'reset-link-made' as const, administrator, at: event.occurredAt, expiresAt };
  await mailOwner(deps, event, { userId, kind: 'security', about: userId, content });
}

/** Records keep the id of a user; names are looked up when they are read. */
export const aboutUser = ({ userId }: { userId: string }) => ({ resource: 'user', id: userId, title: '' });

export const accountReactions = (deps: Deps) => [
  recordedReaction(deps, invitationCreated, { about: aboutUser, effect: mailInvitation }),
  recordedReaction(deps, invitationRevoked, { about: aboutUser }),
  recordedReaction(deps, accountRegistered, { about: aboutUser }),
  recordedReaction(deps, accountActivated, { about: aboutUser }),
  recordedReaction(deps, passwordResetRequested, { about: aboutUser, effect: mailReset }),
  recordedReaction(deps, passwordResetMade, { about: aboutUser, effect: mailResetLinkMade }),
  recordedReaction(deps, passwordChanged, { about: aboutUser, effect: mailPasswordChange }),
];

/** A subscription of its own that starts with new events: nobody gets an email about a device of last month. */
export const accountSafetyReactions = (deps: Deps) => [
  recordedReaction(deps, sessionRevoked, {
    about: aboutUser,
    details: ({ sessionId, reason }) => ({ sessionId, reason }),
  }),
  recordedReaction(deps, deviceAdded, { about: aboutUser, effect: mailNewDevice }),
];
