import type { Meeting } from '@atrium/proto-events/http/meetings';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import type { MeetingAction } from '../../features/meetings/card-actions.tsx';
import { MeetingCalendar } from '../../features/meetings/meeting-calendar.tsx';
import { MeetingFigures } from '../../features/meetings/meeting-figures.tsx';
import { MeetingList } from '../../features/meetings/meeting-list.tsx';
import { ownZone, zoneName } from '../../features/meetings/meeting-words.ts';
import { lazy } from '../../lib/lazy.ts';
import { canScheduleMeetings } from '../../lib/permissions.ts';
import { useCurrentUser } from '../../lib/use-session.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { theme } from '../../ui/theme.ts';

const ScheduleMeetingDialog = lazy(() =>
  import('../../features/meetings/schedule-meeting-dialog.tsx').then((module) => ({
    default: module.ScheduleMeetingDialog,
  })),
);
const MeetingDetailsDialog = lazy(() =>
  import('../../features/meetings/meeting-details-dialog.tsx').then((module) => ({
    default: module.MeetingDetailsDialog,
  })),
);
const EditMeetingDialog = lazy(() =>
  import('../../features/meetings/edit-meeting-dialog.tsx').then((module) => ({ default: module.EditMeetingDialog })),
);
const NotesDialog = lazy(() =>
  import('../../features/meetings/notes-dialog.tsx').then((module) => ({ default: module.NotesDialog })),
);
const DeleteMeetingDialog = lazy(() =>
  import('../../features/meetings/delete-meeting-dialog.tsx').then((module) => ({
    default: module.DeleteMeetingDialog,
  })),
);

type Opened = { kind: 'none' } | { kind: Exclude<MeetingAction, 'view'>; meeting: Meeting };

/** What is open stands in the address: the form by `schedule`, a meeting's details by `meeting`. */
const PLACE = { schedule: '', meeting: '', day: '' };

export default function Meetings() {
  const canSchedule = canScheduleMeetings(useCurrentUser());
  const [place, setPlace] = useUrlState(PLACE);
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const view = (id: string) => setPlace({ meeting: id });
  const schedule = canSchedule ? () => setPlace({ schedule: '1' }) : undefined;
  const close = () => setOpened({ kind: 'none' });
  const act = (action: MeetingAction, meeting: Meeting) => {
    if (action === 'view') return view(meeting._id);
    setPlace({ meeting: '' });
    setOpened({ kind: action, meeting });
  };
  return (
    <Page
      title="Meetings"
      subtitle={`Times in ${zoneName(ownZone())}`}
      actions={
        schedule && (
          <Button variant="primary" icon={<Plus />} onPress={schedule}>
            Schedule Meeting
          </Button>
        )
      }
    >
      <MeetingFigures />
      <Columns>
        <MeetingCalendar onView={view} />
        <MeetingList onAction={act} onSchedule={schedule} />
      </Columns>
      <Suspense fallback={null}>
        {canSchedule && place.schedule === '1' && (
          <ScheduleMeetingDialog isOpen day={place.day} onClose={() => setPlace({ schedule: '' })} />
        )}
        {place.meeting !== '' && (
          <MeetingDetailsDialog id={place.meeting} isOpen onClose={() => setPlace({ meeting: '' })} onAction={act} />
        )}
        {opened.kind === 'edit' && <EditMeetingDialog meeting={opened.meeting} isOpen onClose={close} />}
        {opened.kind === 'notes' && <NotesDialog meeting={opened.meeting} isOpen onClose={close} />}
        {opened.kind === 'delete' && <DeleteMeetingDialog meeting={opened.meeting} isOpen onClose={close} />}
      </Suspense>
    </Page>
  );
}

/* Read in the order of the page: the calendar first, which stands at the right where there is room. */
const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) max-content;
  gap: ${theme.space[6]};
  align-items: start;
  > :first-child {
    order: 1;
    position: sticky;
    top: ${theme.space[6]};
  }
  ${theme.media.compact} {
    grid-template-columns: minmax(0, 1fr);
    gap: ${theme.space[5]};
    > :first-child {
      order: 0;
      position: static;
    }
  }
`;
