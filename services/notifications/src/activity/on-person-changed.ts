import {
  departmentCreated,
  departmentDeleted,
  departmentUpdated,
  sessionsEnded,
  userDeleted,
  userUpdated,
} from '@atrium/proto-events/events/users';
import type { Deps } from '../deps.ts';
import { forgetUser } from './forget-user.ts';
import { recordedReaction } from './react.ts';

/** Changes of people and departments, for the record: roles, status, deletions, sessions that ended with them. */
export const peopleReactions = (deps: Deps) => {
  const person = ({ userId }: { userId: string }) => ({
    resource: 'user',
    id: userId,
    // Names are those of whoever reads it later.
    title: '',
  });
  const department = ({ departmentId, name }: { departmentId: string; name: string }) => ({
    resource: 'department',
    id: departmentId,
    title: name,
  });
  return [
    recordedReaction(deps, userUpdated, {
      about: person,
      details: ({ role, status, changed }) => ({ role, status, changed }),
    }),
    recordedReaction(deps, userDeleted, { about: person, effect: forgetUser }),
    recordedReaction(deps, sessionsEnded, { about: person, details: ({ reason }) => ({ reason }) }),
    recordedReaction(deps, departmentCreated, { about: department }),
    recordedReaction(deps, departmentUpdated, { about: department, details: ({ changed }) => ({ changed }) }),
    recordedReaction(deps, departmentDeleted, { about: department }),
  ];
};
