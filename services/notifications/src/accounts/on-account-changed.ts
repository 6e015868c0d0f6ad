import type { EventOf } from '@atrium/proto-events/event';
import {
  accountActivated,
  accountRegistered,
  invitationCreated,
  invitationRevoked,
  passwordChanged,
  passwordResetMade,
  passwordResetRequested,
} from '@atrium/proto-events/events/auth';
import { react } from '../activity/react.ts';
import type { Deps } from '../deps.ts';
import { actorName } from '../people.ts';

/**
 * Mails the link to who was invited. Sending an invitation again is an event, and a mail, of its own; mails that still wait are kept back
 * by what is recorded here, see `isOvertaken`.
 */
export async function mailInvitation(deps: Deps, { id, requestId, data }: EventOf<typeof invitationCreated>) {
  const name = `${data.firstName} ${data.lastName}`.trim();
  await deps.queueMails({
    id,
    requestId,
    kind: 'invitation',
    about: data.invitationId,
    content: {
      template: 'invitation',
      inviter: actorName(deps.directory, data.invitedBy),
      role: data.role,
      expiresAt: data.expiresAt,
      sealedUrl: data.sealedUrl,
    },
    recipients: [{ id: data.userId, name, address: data.email, timezone: 'UTC' }],
  });
}

/** Mails a link to who asked for a new password; it goes to the address of the account, whatever else is known of the person. */
export async function mailReset(deps: Deps, { id, requestId, data }: EventOf<typeof passwordResetRequested>) {
  const timezone = deps.directory.user(data.userId)?.timezone ?? 'UTC';
  await deps.queueMails({
    id,
    requestId,
    kind: 'reset',
    about: data.resetId,
    content: { template: 'password-reset', expiresAt: data.expiresAt, sealedUrl: data.sealedUrl },
    recipients: [
      { id: data.userId, name: actorName(deps.directory, data.userId) ?? '', address: data.email, timezone },
    ],
  });
}

const aboutPerson = (data: { userId: string; firstName?: string; lastName?: string }) => ({
  resource: 'user',
  id: data.userId,
  title: `${data.firstName ?? ''} ${data.lastName ?? ''}`.trim(),
});

const aboutUser = ({ userId }: { userId: string }) => aboutPerson({ userId });

export const accountReactions = (deps: Deps) => [
  react(deps, invitationCreated, { about: aboutPerson, effect: mailInvitation }),
  react(deps, invitationRevoked, { about: aboutUser }),
  react(deps, accountRegistered, { about: aboutPerson }),
  react(deps, accountActivated, { about: aboutUser }),
  react(deps, passwordResetRequested, { about: aboutUser, effect: mailReset }),
  react(deps, passwordResetMade, { about: aboutUser }),
  react(deps, passwordChanged, { about: aboutUser }),
];
