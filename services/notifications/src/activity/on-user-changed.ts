import {
  departmentCreated,
  departmentDeleted,
  departmentUpdated,
  sessionsEnded,
  userDeleted,
  userUpdated,
} from '@atrium/proto-events/events/users';
import type { Deps } from '../deps.ts';
import { recordedReaction } from './recorded-reaction.ts';
import { redactUser } from './redact-user.ts';

export const userReactions = (deps: Deps) => {
  const aboutUser = ({ userId }: { userId: string }) => ({
    resource: 'user',
    id: userId,
    // Names are resolved on read.
    title: '',
  });
  const department = ({ departmentId, name }: { departmentId: string; name: string }) => ({
    resource: 'department',
    id: departmentId,
    title: name,
  });
  return [
    recordedReaction(deps, userUpdated, {
      about: aboutUser,
      details: ({ role, status, changed }) => ({ role, status, changed }),
    }),
    recordedReaction(deps, userDeleted, { about: aboutUser, effect: redactUser }),
    recordedReaction(deps, sessionsEnded, { about: aboutUser, details: ({ reason }) => ({ reason }) }),
    recordedReaction(deps, departmentCreated, { about: department }),
    recordedReaction(deps, departmentUpdated, { about: department, details: ({ changed }) => ({ changed }) }),
    recordedReaction(deps, departmentDeleted, { about: department }),
  ];
};
