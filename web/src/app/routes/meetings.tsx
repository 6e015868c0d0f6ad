import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { CalendarDays, DoorOpen, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { hasAllParticipants, zoneName } from '#entities/meeting/meeting-labels.ts';
import { useMeeting } from '#entities/meeting/use-meetings.ts';
import { canManageRooms, canScheduleMeetings } from '#entities/user/roles.ts';
import type { Span } from '#features/meetings/layout/span.ts';
import { MeetingCalendar } from '#features/meetings/meeting-calendar.tsx';
import type { MeetingAction } from '#features/meetings/meeting-card.tsx';
import { MeetingList, MeetingStats } from '#features/meetings/meeting-list.tsx';
import { CALENDAR_PATH, MeetingViews } from '#features/meetings/meeting-views.tsx';
import { isRsvpLink, RSVP_LINKS } from '#features/meetings/rsvp-link.ts';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { isId } from '#lib/paths.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';
import { Button } from '#ui/button.tsx';
import { CollapsibleOnMobile, HiddenOnMobile } from '#ui/collapsible.tsx';
import { Page } from '#ui/pages/page.tsx';
import { theme } from '#ui/theme.ts';

const ScheduleMeetingDialog = lazyNamed(
  () => import('#features/meetings/form/schedule-meeting-dialog.tsx'),
  'ScheduleMeetingDialog',
);
const MeetingDetailsDialog = lazyNamed(
  () => import('#features/meetings/details/meeting-details-dialog.tsx'),
  'MeetingDetailsDialog',
);
const EditMeetingDialog = lazyNamed(
  () => import('#features/meetings/form/edit-meeting-dialog.tsx'),
  'EditMeetingDialog',
);
const CalendarScreen = lazyNamed(() => import('#features/meetings/calendar/calendar-screen.tsx'), 'CalendarScreen');
const RsvpDialog = lazyNamed(() => import('#features/meetings/details/rsvp-dialog.tsx'), 'RsvpDialog');
const NotesDialog = lazyNamed(() => import('#features/meetings/notes/notes-dialog.tsx'), 'NotesDialog');
const CloseMeetingDialog = lazyNamed(
  () => import('#features/meetings/closing/close-meeting-dialog.tsx'),
  'CloseMeetingDialog',
);
const OpenDecisions = lazyNamed(() => import('#features/meetings/closing/open-decisions.tsx'), 'OpenDecisions');
const RoomsDialog = lazyNamed(() => import('#features/meetings/rooms/rooms-dialog.tsx'), 'RoomsDialog');
const DeleteMeetingDialog = lazyNamed(
  () => import('#features/meetings/delete-meeting-dialog.tsx'),
  'DeleteMeetingDialog',
);

const toSpanId = (span: Span | undefined) => (span ? `${span.start}-${span.end}` : '1');

function parseSpanId(id: string): Span | undefined {
  const [, start, end] = /^(\d{10,14})-(\d{10,14})$/.exec(id) ?? [];
  return start && end ? { start: Number(start), end: Number(end) } : undefined;
}

const PLACE = { day: '', project: '' };

export default function Meetings() {
  const me = useCurrentUser();
  const canSchedule = canScheduleMeetings(me);
  const hasRooms = canManageRooms(me);
  const [{ day, project: projectParam }] = useUrlState(PLACE);
  const project = isId(projectParam) ? projectParam : '';
  const { opened, open, close } = useOverlayHistory(
    'meeting',
    'edit',
    'notes',
    'close',
    'schedule',
    'rooms',
    ...RSVP_LINKS,
  );
  const [deletingMeeting, setDeletingMeeting] = useState<Meeting>();
  const [listedMeeting, setListedMeeting] = useState<Meeting>();
  const view = (id: string) => open('meeting', id);
  const schedule = canSchedule ? () => open('schedule', '1') : undefined;
  const scheduleAt = canSchedule ? (time?: Span) => open('schedule', toSpanId(time)) : undefined;
  const isCalendar = useLocation().pathname === CALENDAR_PATH;
  const act = (action: MeetingAction, meeting: Meeting) => {
    if (action === 'view') return view(meeting._id);
    setListedMeeting(meeting);
    if (action !== 'delete') return open(action, meeting._id);
    close();
    setDeletingMeeting(meeting);
  };
  return (
    <Page
      title="Meetings"
      subtitle={`Times in ${zoneName(browserTimeZone())}`}
      actions={
        <>
          <MeetingViews />
          {hasRooms && (
            <Button icon={<DoorOpen />} onPress={() => open('rooms', '1')} aria-label="Rooms">
              <HiddenOnMobile>Rooms</HiddenOnMobile>
            </Button>
          )}
          {schedule && (
            <Button variant="primary" icon={<Plus />} onPress={schedule} aria-label="Schedule Meeting">
              Schedule<HiddenOnMobile> Meeting</HiddenOnMobile>
            </Button>
          )}
        </>
      }
    >
      {isCalendar ? (
        <Suspense fallback={null}>
          <CalendarScreen
            isCovered={opened !== null || deletingMeeting !== undefined}
            onView={view}
            onSchedule={scheduleAt}
          />
        </Suspense>
      ) : (
        <>
          <MeetingStats project={project} />
          <Columns>
            <CollapsibleOnMobile label="Pick a day" icon={<CalendarDays />} isOpenAtFirst={day !== ''}>
              <MeetingCalendar project={project} onView={view} />
            </CollapsibleOnMobile>
            <MeetingList onAction={act} onSchedule={schedule} />
          </Columns>
          <Suspense fallback={null}>
            <OpenDecisions key={project} project={project} />
          </Suspense>
        </>
      )}
      <Suspense fallback={null}>
        {canSchedule && opened?.name === 'schedule' && (
          <ScheduleMeetingDialog day={day} selectedSpan={parseSpanId(opened.id)} onClose={close} />
        )}
        {hasRooms && opened?.name === 'rooms' && <RoomsDialog onClose={close} />}
        {opened && isRsvpLink(opened.name) && (
          <RsvpDialog key={opened.id} link={opened.name} target={opened.id} onClose={close} onResponded={view} />
        )}
        {opened && opened.name !== 'schedule' && opened.name !== 'rooms' && !isRsvpLink(opened.name) && (
          <OpenedMeeting
            key={opened.id}
            name={opened.name}
            id={opened.id}
            listed={listedMeeting?._id === opened.id ? listedMeeting : undefined}
            onClose={close}
            onAction={act}
          />
        )}
        {/* Opens only after the details have closed: their step back in the history would also close this dialog. */}
        {deletingMeeting && !opened && (
          <DeleteMeetingDialog meeting={deletingMeeting} onClose={() => setDeletingMeeting(undefined)} />
        )}
      </Suspense>
    </Page>
  );
}

type OpenedProps = {
  name: 'meeting' | 'edit' | 'notes' | 'close';
  id: string;
  listed: Meeting | undefined;
  onClose: () => void;
  onAction: (action: MeetingAction, meeting: Meeting) => void;
};

function OpenedMeeting({ name, id, listed, onClose, onAction }: OpenedProps) {
  const { data: loadedMeeting, error } = useMeeting(id);
  // Saving a truncated participant list would remove the others.
  const meeting = loadedMeeting ?? (listed && hasAllParticipants(listed) ? listed : undefined);
  // An open form stays open when the meeting ends; the server decides what can still be saved.
  const isEditing = useHasBeenTrue(name === 'edit' && meeting?.abilities.update === true);
  if (meeting && name === 'edit' && isEditing) return <EditMeetingDialog meeting={meeting} onClose={onClose} />;
  if (meeting && name === 'notes' && meeting.abilities.addNotes)
    return <NotesDialog meeting={meeting} onClose={onClose} />;
  if (meeting && name === 'close' && meeting.abilities.addNotes)
    return <CloseMeetingDialog meeting={meeting} onClose={() => onAction('view', meeting)} />;
  // A dialog shown before the form would take focus, and the form would later restore focus to that dialog.
  if (listed && !meeting && !error && name !== 'meeting') return null;
  return <MeetingDetailsDialog id={id} onClose={onClose} onAction={onAction} />;
}

/* The calendar comes first in reading order, and is on the right where there is room. */
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
    gap: ${theme.space[4]};
    > :first-child {
      order: 0;
      position: static;
    }
  }
`;
