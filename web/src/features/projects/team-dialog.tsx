import type { Project } from '@atrium/proto-events/http/projects';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useState } from 'react';
import { AddUsers } from '#entities/user/add-users.tsx';
import { displayName, type NamedUser, nameOrCount } from '#entities/user/user-labels.ts';
import { UserRow, UserRows } from '#entities/user/user-rows.tsx';
import { Notice } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useProjectActions } from './use-project-actions.ts';

type TeamMember = Project['teamMembers'][number];
type Props = { project: Project; onClose: () => void };

/** The project's manager, who cannot be removed, and its team members. All of them are in its conversation. */
export function TeamDialog({ project, onClose }: Props) {
  const [memberToRemove, setMemberToRemove] = useState<TeamMember | null>(null);
  const { addMember, removeMember } = useProjectActions();
  const { abilities, denialReasons } = project;
  const canManage = abilities.manageMembers;
  return (
    <Dialog onClose={onClose} title="Project team" description={project.name}>
      <DialogBody>
        {!abilities.addMembers && <Notice>{denialReasons.manageMembers ?? denialReasons.addMembers}</Notice>}
        {abilities.addMembers && (
          <AddUsers
            label="Add people"
            draftKey={`project:${project._id}:people`}
            excludedIds={listIds(project)}
            add={(id) => addMember(project._id, id)}
            onAdded={showAdded}
            failure="Failed to update project"
          />
        )}
        <UserRows label="Project members">
          <UserRow user={project.projectManager} notes={['Project Manager', ...listDetails(project.projectManager)]} />
          {project.teamMembers.map((member) => (
            <UserRow
              key={member._id}
              user={member}
              notes={listDetails(member)}
              onRemove={canManage ? () => setMemberToRemove(member) : undefined}
            />
          ))}
        </UserRows>
      </DialogBody>
      {memberToRemove && (
        <ConfirmDialog
          onClose={() => setMemberToRemove(null)}
          onConfirm={() => removeMember(project._id, memberToRemove._id)}
          success={`${isolate(displayName(memberToRemove))} removed from the project`}
          title={`Remove ${isolate(displayName(memberToRemove))}`}
          action="Remove"
          failure="Failed to update project"
        >
          They will be removed from the project and its conversation, and their open tasks will be unassigned.
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

const listIds = ({ projectManager, teamMembers }: Project) => [projectManager, ...teamMembers].map(({ _id }) => _id);

const showAdded = (users: readonly NamedUser[]) =>
  users.length > 0 && showSuccess(`${isolate(nameOrCount(users))} added to the project`);

const listDetails = ({ department, email }: TeamMember) => [department?.name, email];
