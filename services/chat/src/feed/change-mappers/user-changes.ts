import type { Topic } from '@atrium/proto-events/realtime';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/topics';
import { type Action, andAdmins, hasChanged, type LiveUpdate } from './live-update.ts';

type UserFacts = { userId: string; version: number; changed?: string[] };

export const user =
  (action: Action) =>
  ({ userId, version, changed }: UserFacts): LiveUpdate => ({
    topics: [
      `person:${userId}`,
      // A time zone that a browser names at its first sign-in is no reason for all others to ask for everything again.
      ...(hasChanged(changed, USER_LIST_FIELDS) ? ['people' as const] : []),
      // Who is new stands nowhere under their name yet.
      ...(action !== 'created' && hasChanged(changed, DISPLAY_NAME_FIELDS.user) ? ['names' as const] : []),
    ],
    audience: 'everyone',
    changes: [{ resource: 'user', id: userId, action, version, ...(changed && { changed }) }],
  });

export const department =
  (action: Action) =>
  ({
    departmentId: id,
    version,
    changed,
  }: {
    departmentId: string;
    version: number;
    changed?: string[];
  }): LiveUpdate => ({
    topics: ['departments', 'people', ...(action === 'created' ? [] : ['names' as const])],
    audience: 'everyone',
    changes: [{ resource: 'department', id, action, version, ...(changed && { changed }) }],
  });

/** Only administrators see invitations; they have no version, and a list of them is asked for again as a whole. */
export const invitation =
  (action: Action) =>
  (data: { invitationId: string }): LiveUpdate => ({
    topics: ['invitations'],
    audience: andAdmins(),
    changes: [{ resource: 'invitation', id: data.invitationId, action, version: 0 }],
  });

export const session =
  (action: Action) =>
  (data: { userId: string; sessionId: string }): LiveUpdate => ({
    topics: ['sessions'],
    audience: { users: [data.userId] },
    changes: [{ resource: 'session', id: data.sessionId, action, version: 0 }],
  });

/** Of their own topic, as every browser shows how much somebody has not read and watches that one. */
export const notices = ({ personIds, about }: { personIds: string[]; about: string }): LiveUpdate => ({
  topics: personIds.map((id): Topic => `person:${id}`),
  audience: { users: personIds },
  changes: [{ resource: 'notification', id: about, action: 'updated', version: 0 }],
});
