import { styled } from 'styled-components';
import { ProjectField } from '#entities/project/project-field.tsx';
import { PersonFilter } from '#entities/user/person-filter.tsx';
import { Select } from '#ui/fields/select.tsx';
import { theme } from '#ui/theme.ts';
import type { Shown, Whose } from './use-shown.ts';

type Props = { shown: Shown; isAdmin: boolean };

/** Selects the user's own calendar, a project's, or a colleague's busy times. */
export function OwnerFilter({ shown: { whose, project, person, show }, isAdmin }: Props) {
  const options: { value: Whose; label: string }[] = [
    { value: 'mine', label: 'My meetings' },
    // Others see only meetings they are invited to.
    ...(isAdmin ? [{ value: 'all', label: 'Everyone’s meetings' } as const] : []),
    { value: 'project', label: 'A project’s meetings' },
    { value: 'person', label: 'A colleague’s busy times' },
  ];
  return (
    <Fields>
      <Select label="Whose calendar" isLabelHidden value={whose} onChange={show.whose} options={options} />
      {whose === 'project' && (
        <ProjectField
          label="Project of the calendar"
          placeholder="Which project?"
          isLabelHidden
          value={project}
          onChange={show.project}
          error={undefined}
        />
      )}
      {whose === 'person' && (
        <PersonFilter label="Colleague" placeholder="Which colleague?" value={person} onChange={show.person} />
      )}
    </Fields>
  );
}

const Fields = styled.div`
  display: flex;
  gap: ${theme.space[2]};
  > * {
    width: 216px;
  }
  ${theme.media.small} {
    display: contents;
    > * {
      flex: 1 1 0;
      width: auto;
      min-width: 0;
    }
    /* The second field is below, where a name fits. */
    > :nth-child(2) {
      order: 1;
      flex: 1 0 100%;
    }
  }
`;
