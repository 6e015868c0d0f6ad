import type { Project } from '@atrium/proto-events/http/projects';
import { PeopleField } from '../../entities/person/people-field.tsx';
import type { Pickable } from '../../entities/person/people-picker.tsx';
import { displayName } from '../../entities/person/person.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { useAction } from '../../ui/overlays/use-action.ts';
import { useProjectActions } from './use-project-actions.ts';

/** A press adds a person, who is told by e-mail. */
export function AddMember({ project }: { project: Project }) {
  const { addMember } = useProjectActions();
  const { run: add, isBusy } = useAction(async (person: Pickable) => {
    await addMember(project._id, person._id);
    showSuccess(`${displayName(person)} added to the project`);
  }, 'Failed to update project');
  return (
    <PeopleField
      label="Add a person"
      mode="single"
      value={[]}
      onChange={(_ids, [person]) => void (person && !isBusy && add(person))}
      without={[project.projectManager, ...project.teamMembers].map(({ _id }) => _id)}
    />
  );
}
