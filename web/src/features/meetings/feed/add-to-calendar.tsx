import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { CalendarPlus } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { type FileScope, saveCalendar } from './save-calendar.ts';

/** Downloads an iCalendar file of the meeting or its series. */
export function AddToCalendar({ meeting }: { meeting: Meeting }) {
  const { run, isBusy } = useAction(
    (scope: FileScope) => saveCalendar(meeting, scope),
    'Failed to create the calendar file',
  );
  const button = (
    <Button
      icon={<CalendarPlus />}
      isBusy={isBusy}
      aria-label={`Calendar file of ${meeting.title}`}
      {...(!meeting.isRecurring && { onPress: () => void run('this') })}
    >
      Calendar file
    </Button>
  );
  if (!meeting.isRecurring) return button;
  return (
    <Menu trigger={button} label="Which meetings">
      <MenuItem onAction={() => void run('this')}>This meeting</MenuItem>
      <MenuItem onAction={() => void run('all')}>All meetings of the series</MenuItem>
    </Menu>
  );
}
