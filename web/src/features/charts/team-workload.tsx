import type { User } from '@atrium/proto-events/people';
import { useNavigate } from 'react-router-dom';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { TaskListDialog } from './task-list-dialog.tsx';
import { Workload } from './workload.tsx';

/** The open tasks of users in all projects. */
export function TeamWorkload({ users }: { users: readonly User[] }) {
  const { opened, open, close } = useOverlayHistory('tasks');
  const navigate = useNavigate();
  return (
    <>
      <Workload
        query={{ users: users.map(({ _id }) => _id).join(',') }}
        description="Open tasks of the people listed here, in all projects, by due date."
        onOpen={(list) => open('tasks', list)}
      />
      {opened && (
        <TaskListDialog
          list={opened.id}
          onOpen={({ _id, project }) => void navigate(`/progress/${project}?task=${_id}`, { replace: true })}
          onClose={close}
        />
      )}
    </>
  );
}
