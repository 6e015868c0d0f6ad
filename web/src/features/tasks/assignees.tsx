import type { Project } from '@atrium/proto-events/http/projects';
import { displayName, type NamedUser } from '#entities/user/user-labels.ts';
import { isActive, userOptions } from '#entities/user/user-options.tsx';
import type { Option } from '#ui/fields/option.tsx';

export function assigneeOptions(project: Project, me: NamedUser, currentAssignee: NamedUser | null = null): Option[] {
  return toOptions([...listMembers(project).filter(isActive), ...(currentAssignee ? [currentAssignee] : [])], me);
}

export const assigneeFilterOptions = (project: Project, me: NamedUser): Option[] => toOptions(listMembers(project), me);

const listMembers = ({ projectManager, teamMembers }: Project) => [projectManager, ...teamMembers];

function toOptions(users: readonly NamedUser[], me: NamedUser): Option[] {
  const isMe = ({ _id }: NamedUser) => _id === me._id;
  return userOptions([...users.filter(isMe), ...users.filter((user) => !isMe(user))], (user) =>
    isMe(user) ? `${displayName(user)} (me)` : displayName(user),
  );
}
