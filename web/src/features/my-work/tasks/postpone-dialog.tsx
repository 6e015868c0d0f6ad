import type { Task } from '@atrium/proto-events/http/tasks';
import { styled } from 'styled-components';
import { type Day, storedDay } from '#lib/time/day.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { Calendar, toCalendarDate } from '#ui/times/calendar.tsx';

type Props = { task: Task; today: Day; onChoose: (day: Day) => void; onClose: () => void };

export function PostponeDialog({ task, today, onChoose, onClose }: Props) {
  const day = storedDay(task.dueDate);
  const choose = (chosen: Day) => {
    onClose();
    onChoose(chosen);
  };
  return (
    <Dialog title="Due date" description={<bdi>{task.title}</bdi>} width="sm" onClose={onClose} isDismissable>
      <DialogBody>
        <Center>
          <Calendar
            aria-label="Due date"
            autoFocus
            minValue={toCalendarDate(today)}
            defaultFocusedValue={toCalendarDate(day < today ? today : day)}
            value={toCalendarDate(day)}
            onChange={(date) => choose(date.toString())}
          />
        </Center>
      </DialogBody>
    </Dialog>
  );
}

const Center = styled.div`
  display: grid;
  justify-content: center;
`;
