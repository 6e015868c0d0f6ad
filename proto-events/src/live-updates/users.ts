import { subjectOf } from '../event.ts';
import * as users from '../events/users.ts';
import { type Action, affectsFields, type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';

type UserEventData = { userId: string; version: number; changed?: string[]; user?: object | undefined };

const user =
  (action: Action) =>
  ({ userId, version, changed, user: item }: UserEventData): LiveUpdate => ({
    audience: 'everyone',
    change: {
      resource: 'user',
      id: userId,
      action,
      version,
      tags: [
        'users',
        `user:${userId}`,
        // No response shows a new user yet.
        ...(action !== 'created' && affectsFields(changed, ...SUMMARY_FIELDS) ? ['people' as const] : []),
        // Departments show how many users they have.
        ...(action !== 'updated' || affectsFields(changed, 'department') ? ['departments' as const] : []),
        // An invitation ends when it is accepted.
        ...(affectsFields(changed, 'invited', 'status') ? ['invitations' as const] : []),
      ],
      ...(changed && { changed }),
      ...(item && { item }),
    },
  });

type UpdatedUserData = UserEventData & { changed: string[] };

const PREFERENCES = 'preferences';

/** Others learn of the new version of the user, but not that it has other preferences, which they cannot read. */
const updatedUser = ({ changed, ...data }: UpdatedUserData): LiveUpdate =>
  user('updated')({ ...data, changed: changed.filter((field) => field !== PREFERENCES) });

const updatedPreferences = ({ userId, version, changed }: UpdatedUserData): LiveUpdate[] =>
  changed.includes(PREFERENCES)
    ? [
        {
          audience: { users: [userId] },
          change: {
            resource: 'user',
            id: userId,
            action: 'updated',
            version,
            tags: [`user:${userId}`],
            changed: [PREFERENCES],
          },
        },
      ]
    : [];

/** The fields of `userSummary`, which other resources show of a user. */
const SUMMARY_FIELDS = ['firstName', 'lastName', 'email', 'avatar', 'role', 'status', 'department'];

const userCounts = (item: object): LiveUpdate => ({
  audience: 'everyone',
  change: { resource: 'user-counts', id: 'all', action: 'updated', version: 0, tags: ['user-counts'], item },
});

type DepartmentEventData = {
  departmentId: string;
  version: number;
  changed?: string[];
  department?: object | undefined;
};

const department =
  (action: Action) =>
  ({ departmentId: id, version, changed, department: item }: DepartmentEventData): LiveUpdate => ({
    audience: 'everyone',
    change: {
      resource: 'department',
      id,
      action,
      version,
      tags: ['departments', ...(action === 'created' ? [] : ['people' as const])],
      ...(changed && { changed }),
      ...(item && { item }),
    },
  });

export const FANOUT: readonly FanoutRow[] = [
  row(users.userCreated, user('created')),
  row(users.userUpdated, updatedUser, updatedPreferences),
  row(users.userDeleted, user('deleted')),
  row(users.userCountsChanged, userCounts),
  row(users.departmentCreated, department('created')),
  row(users.departmentUpdated, department('updated')),
  row(users.departmentDeleted, department('deleted')),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(users.userDeactivated)]: 'the user is published by users.user.updated or users.user.deleted',
  [subjectOf(users.sessionsEnded)]: 'the sockets of the user are closed instead',
};
