import { subjectOf } from '../event.ts';
import * as users from '../events/users.ts';
import { type Action, affectsFields, type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from './topics.ts';

type UserEventData = { userId: string; version: number; changed?: string[] };

const user =
  (action: Action) =>
  ({ userId, version, changed }: UserEventData): LiveUpdate => ({
    topics: [
      `person:${userId}`,
      // Omitted for fields that no list shows, such as the time zone that is set at the first sign-in.
      ...(affectsFields(changed, USER_LIST_FIELDS) ? ['people' as const] : []),
      // Omitted for a new user, whose name no screen shows yet.
      ...(action !== 'created' && affectsFields(changed, DISPLAY_NAME_FIELDS.user) ? ['names' as const] : []),
    ],
    audience: 'everyone',
    changes: [{ resource: 'user', id: userId, action, version, ...(changed && { changed }) }],
  });

type DepartmentEventData = { departmentId: string; version: number; changed?: string[] };

const department =
  (action: Action) =>
  ({ departmentId: id, version, changed }: DepartmentEventData): LiveUpdate => ({
    topics: ['departments', 'people', ...(action === 'created' ? [] : ['names' as const])],
    audience: 'everyone',
    changes: [{ resource: 'department', id, action, version, ...(changed && { changed }) }],
  });

export const FANOUT: readonly FanoutRow[] = [
  row(users.userCreated, user('created')),
  row(users.userUpdated, user('updated')),
  row(users.userDeleted, user('deleted')),
  row(users.departmentCreated, department('created')),
  row(users.departmentUpdated, department('updated')),
  row(users.departmentDeleted, department('deleted')),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(users.userDeactivated)]: 'the user is published by users.user.updated or users.user.deleted',
  [subjectOf(users.sessionsEnded)]: 'the sockets of the user are closed instead',
};
