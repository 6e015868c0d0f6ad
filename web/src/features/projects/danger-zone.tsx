import type { Project } from '@atrium/proto-events/http/projects';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import { useProjectActions } from './use-project-actions.ts';

type Props = { project: Project; onDeleted: () => void };

export function DangerZone({ project, onDeleted }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { remove } = useProjectActions();
  const confirm = async () => {
    await remove(project._id);
    showSuccess('Project deleted successfully');
    onDeleted();
  };
  return (
    <Zone>
      <div>
        <h3>Danger Zone</h3>
        <p>
          {project.abilities.delete
            ? 'Its tasks and its conversation will be deleted, too. This cannot be undone.'
            : project.denialReasons.delete}
        </p>
      </div>
      {project.abilities.delete && (
        <Button variant="danger" icon={<Trash2 />} onPress={() => setAsking(true)}>
          Delete Project
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        title="Delete project"
        action="Delete Project"
        failure="Failed to delete project"
      >
        Are you sure you want to delete this project? This action cannot be undone.
      </ConfirmDialog>
    </Zone>
  );
}

const Zone = styled.section`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]} ${theme.space[4]};
  margin-top: ${theme.space[2]};
  padding-top: ${theme.space[5]};
  border-top: 1px solid ${theme.color.line};
  h3 {
    color: ${theme.color.danger};
  }
  p {
    color: ${theme.color.text2};
  }
`;
