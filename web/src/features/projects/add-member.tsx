import type { Project } from '@atrium/proto-events/http/projects';
import { useState } from 'react';
import { PeoplePicker } from '../../entities/person/people-picker.tsx';
import { displayName } from '../../entities/person/person.ts';
import { failureOf, usePeople } from '../../entities/person/use-people.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { useProjectActions } from './use-project-actions.ts';

/** A press adds a person, who is told by e-mail. */
export function AddMember({ project }: { project: Project }) {
  const [words, setWords] = useState('');
  const [isBusy, setBusy] = useState(false);
  const people = usePeople(useDebounced(words));
  const { addMember } = useProjectActions();
  const isIn = new Set([project.projectManager, ...project.teamMembers].map(({ _id }) => _id));
  const others = people.data?.data.filter(({ _id }) => !isIn.has(_id));
  const add = async ([id = '']: string[]) => {
    const person = others?.find(({ _id }) => _id === id);
    if (!person || isBusy) return;
    setBusy(true);
    try {
      await addMember(project._id, id);
      showSuccess(`${displayName(person)} added to the project`);
    } catch (error) {
      showFailure(error, 'Failed to update project');
    }
    setBusy(false);
  };
  return (
    <PeoplePicker
      label="Add a person"
      mode="single"
      people={others}
      value={[]}
      onChange={(ids) => void add(ids)}
      onSearch={setWords}
      failure={failureOf(people)}
    />
  );
}
