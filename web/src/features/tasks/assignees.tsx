import type { Project } from '@atrium/proto-events/http/projects';
import { isActive, personOptions } from '#entities/user/people-options.tsx';
import { displayName, type PersonLike } from '#entities/user/person.ts';
import type { Option } from '#ui/fields/option.tsx';

export function assigneeOptions(project: Project, me: PersonLike, currentAssignee: PersonLike | null = null): Option[] {
  return toOptions([...listMembers(project).filter(isActive), ...(currentAssignee ? [currentAssignee] : [])], me);
}

export const assigneeFilterOptions = (project: Project, me: PersonLike): Option[] =>
  toOptions(listMembers(project), me);

const listMembers = ({ projectManager, teamMembers }: Project) => [projectManager, ...teamMembers];

function toOptions(people: readonly PersonLike[], me: PersonLike): Option[] {
  const isMe = ({ _id }: PersonLike) => _id === me._id;
  return personOptions([...people.filter(isMe), ...people.filter((person) => !isMe(person))], (person) =>
    isMe(person) ? `${displayName(person)} (me)` : displayName(person),
  );
}
