import type { Topic } from '@atrium/proto-events/realtime';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/topics';
import { type Action, hasChanged, type LiveUpdate, withAdmins } from './audience.ts';

type UserEventData = { userId: string; version: number; changed?: string[] };

export const user =
  (action: Action) =>
  ({ userId, version, changed }: UserEventData): LiveUpdate => ({
    topics: [
      `person:${userId}`,
      // Omitted for fields that no list shows, such as the time zone that is set at the first sign-in.
      ...(hasChanged(changed, USER_LIST_FIELDS) ? ['people' as const] : []),
      // Omitted for a new user, whose name no screen shows yet.
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

/** Invitations have no version, so their lists are refetched as a whole. */
export const invitation =
  (action: Action) =>
  (data: { invitationId: string }): LiveUpdate => ({
    topics: ['invitations'],
    audience: withAdmins(),
    changes: [{ resource: 'invitation', id: data.invitationId, action, version: 0 }],
  });

export const session =
  (action: Action) =>
  (data: { userId: string; sessionId: string }): LiveUpdate => ({
    topics: ['sessions'],
    audience: { users: [data.userId] },
    changes: [{ resource: 'session', id: data.sessionId, action, version: 0 }],
  });

/** Uses the user's own topic, which every browser subscribes to for the unread count. */
export const notification = (data: { personIds: string[]; about: string }): LiveUpdate => ({
  topics: data.personIds.map((userId): Topic => `person:${userId}`),
  audience: { users: data.personIds },
  changes: [{ resource: 'notification', id: data.about, action: 'updated', version: 0 }],
});
