import type { Project } from '@atrium/proto-events/http/projects';
import { useState } from 'react';
import { PeopleField } from '../../lib/forms/people-field.tsx';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import type { Pickable } from '../../ui/people/people-picker.tsx';
import { displayName } from '../../ui/people/person.ts';
import { useProjectActions } from './use-projects.ts';

/** A press adds a person, who is told by e-mail. */
export function AddMember({ project }: { project: Project }) {
  const [isBusy, setBusy] = useState(false);
  const { addMember } = useProjectActions();
  const add = async (person: Pickable | undefined) => {
    if (!person || isBusy) return;
    setBusy(true);
    try {
      await addMember(project._id, person._id);
      showSuccess(`${displayName(person)} added to the project`);
    } catch (error) {
      showFailure(error, 'Failed to update project');
    }
    setBusy(false);
  };
  return (
    <PeopleField
      label="Add a person"
      mode="single"
      value={[]}
      onChange={(_ids, [person]) => void add(person)}
      without={[project.projectManager, ...project.teamMembers].map(({ _id }) => _id)}
    />
  );
}
