import type { Project } from '@atrium/proto-events/http/projects';
import { Avatar } from '../../ui/avatar.tsx';
import type { Option } from '../../ui/option.tsx';
import { displayName, type PersonLike } from '../../ui/person.ts';

/** Who can have tasks of a project: its people, whoever looks first. `also` is somebody who has one and is no longer of them. */
export function assigneeOptions(project: Project, me: PersonLike, also: PersonLike | null = null): Option[] {
  const people = [project.projectManager, ...project.teamMembers, ...(also ? [also] : [])];
  const once = [...new Map(people.map((person) => [person._id, person])).values()];
  const mine = once.filter(({ _id }) => _id === me._id);
  return [...mine, ...once.filter(({ _id }) => _id !== me._id)].map((person) => ({
    value: person._id,
    label: person._id === me._id ? `${displayName(person)} (me)` : displayName(person),
    lead: <Avatar person={person} size={24} />,
  }));
}
