import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { Ellipsis, PanelRightOpen } from 'lucide-react';
import { StatusMark } from '#entities/task/task-icons.tsx';
import { COLUMNS } from '#entities/task/task-labels.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '#ui/overlays/menu.tsx';

type Props = { task: Task; onMove: (to: TaskStatus) => void; onOpen: () => void };

/** An alternative to dragging, for touch and keyboard. */
export function CardMenu({ task, onMove, onOpen }: Props) {
  return (
    <Menu
      label={`Actions for ${task.title}`}
      trigger={
        <IconButton label={`Actions for ${task.title}`}>
          <Ellipsis />
        </IconButton>
      }
    >
      <MenuItem icon={<PanelRightOpen />} onAction={onOpen}>
        Open
      </MenuItem>
      {task.abilities.updateStatus && <MenuLine />}
      {task.abilities.updateStatus &&
        COLUMNS.filter(({ status }) => status !== task.status).map(({ status, label }) => (
          <MenuItem key={status} icon={<StatusMark status={status} />} onAction={() => onMove(status)}>
            {`Move to ${label}`}
          </MenuItem>
        ))}
    </Menu>
  );
}
