import type { Project } from '@atrium/proto-events/http/projects';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { displayName } from '../../ui/person.ts';
import { theme } from '../../ui/theme.ts';
import { showSuccess } from '../../ui/toast.ts';
import { AddMember } from './add-member.tsx';
import { useProjectActions } from './use-projects.ts';

type Person = Project['teamMembers'][number];
type Props = { project: Project; isOpen: boolean; onClose: () => void };

/** The people of a project: its manager, who stays, and its team. They are also who is in its conversation. */
export function TeamDialog({ project, isOpen, onClose }: Props) {
  const [leaving, setLeaving] = useState<Person | null>(null);
  const { removeMember } = useProjectActions();
  const canManage = project.abilities.manageMembers;
  const remove = async (person: Person) => {
    await removeMember(project._id, person._id);
    showSuccess(`${displayName(person)} removed from the project`);
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Project team" description={project.name}>
      <DialogBody>
        {!canManage && <Notice>{project.refusals.manageMembers}</Notice>}
        <List aria-label="People of the project" tabIndex={-1}>
          <Line person={project.projectManager} position="Project Manager" />
          {project.teamMembers.map((person) => (
            <Line key={person._id} person={person} onRemove={canManage ? () => setLeaving(person) : undefined} />
          ))}
        </List>
        {canManage && <AddMember project={project} />}
      </DialogBody>
      {leaving && (
        <ConfirmDialog
          isOpen
          onClose={() => setLeaving(null)}
          onConfirm={() => remove(leaving)}
          title={`Remove ${displayName(leaving)}`}
          action="Remove"
          failure="Failed to update project"
        >
          They leave the project and its conversation, and their open tasks are assigned to no one.
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

type LineProps = { person: Person; position?: string; onRemove?: (() => void) | undefined };

function Line({ person, position, onRemove }: LineProps) {
  return (
    <Row>
      <Avatar person={person} size={32} />
      <Words>
        <strong>{displayName(person)}</strong>
        <small>{[position, person.department?.name, person.email].filter(Boolean).join(' · ')}</small>
      </Words>
      {onRemove && (
        <IconButton
          label={`Remove ${displayName(person)}`}
          tone="danger"
          onPress={({ target }) => {
            // The button goes with its person; the focus comes back to the list, which stays.
            target.closest('ul')?.focus();
            onRemove();
          }}
        >
          <UserMinus />
        </IconButton>
      )}
    </Row>
  );
}

const List = styled.ul`
  display: grid;
  outline: none;
  grid-template-columns: minmax(0, 1fr);
`;

const Row = styled.li`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 52px;
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
`;

const Words = styled.div`
  flex: 1;
  min-width: 0;
  strong,
  small {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  strong {
    font-weight: 500;
  }
  small {
    font: ${theme.text.sm};
    color: ${theme.color.text2};
  }
`;
