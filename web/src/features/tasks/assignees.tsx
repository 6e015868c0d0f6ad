import type { Project } from '@atrium/proto-events/http/projects';
import type { UserSummary } from '@atrium/proto-events/people';
import { Avatar } from '../../entities/person/avatar.tsx';
import { displayName, type PersonLike } from '../../entities/person/person.ts';
import type { Option } from '../../ui/fields/option.tsx';

/** Who can be given tasks of a project: its people who are not gone, whoever looks first. `also` is somebody who has one, whoever they are. */
export function assigneeOptions(project: Project, me: PersonLike, also: PersonLike | null = null): Option[] {
  return toOptions([...peopleOf(project).filter(isHere), ...(also ? [also] : [])], me);
}

/** Who can have tasks of a project: those who are gone keep theirs. */
export const holderOptions = (project: Project, me: PersonLike): Option[] => toOptions(peopleOf(project), me);

const peopleOf = ({ projectManager, teamMembers }: Project) => [projectManager, ...teamMembers];

const isHere = ({ status, deleted }: UserSummary) => !deleted && status !== 'inactive';

function toOptions(people: readonly PersonLike[], me: PersonLike): Option[] {
  const once = [...new Map(people.map((person) => [person._id, person])).values()];
  const mine = once.filter(({ _id }) => _id === me._id);
  return [...mine, ...once.filter(({ _id }) => _id !== me._id)].map((person) => ({
    value: person._id,
    label: person._id === me._id ? `${displayName(person)} (me)` : displayName(person),
    lead: <Avatar person={person} size={24} />,
  }));
}
