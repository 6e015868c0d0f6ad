import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { NotebookPen, Pencil, Trash2 } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { styled } from 'styled-components';
import { canShowNotes, meetingTimeText, notesAction, RESPONSES } from '#entities/meeting/meeting-labels.ts';
import { useMeeting, useRefetchOnMeetingEnd } from '#entities/meeting/use-meetings.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { countPeople, displayName } from '#entities/user/user-labels.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { Button } from '#ui/button.tsx';
import { Inline, PartHeading, Text } from '#ui/layout/primitives.ts';
import { dividedStyles } from '#ui/mixins.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { JoinLink } from '../join-link.tsx';
import type { MeetingAction } from '../meeting-card.tsx';
import { ResponseButtons } from '../response-buttons.tsx';
import { AgendaList } from './agenda-list.tsx';
import { MeetingDetails } from './meeting-details.tsx';

const AddToCalendar = lazyNamed(() => import('./add-to-calendar.tsx'), 'AddToCalendar');
const NoticeLevelMenu = lazyNamed(() => import('#entities/notification/notice-level-menu.tsx'), 'NoticeLevelMenu');
const ClosingPanel = lazyNamed(() => import('../closing/closing-panel.tsx'), 'ClosingPanel');

const CanceledOccurrence = lazyNamed(() => import('./canceled-occurrence.tsx'), 'CanceledOccurrence');

const GONE = 'This meeting was cancelled, or you are no longer invited to it.';

type Props = {
  id: string;
  onClose: () => void;
  onAction: (action: MeetingAction, meeting: Meeting) => void;
};

export function MeetingDetailsDialog({ id, onClose, onAction }: Props) {
  const query = useMeeting(id);
  const isGone = query.error?.status === 404;
  const meeting = isGone ? undefined : query.data;
  useRefetchOnMeetingEnd(useMemo(() => (meeting ? [meeting] : undefined), [meeting]));
  return (
    <Dialog
      onClose={onClose}
      title={meeting?.title ?? 'Meeting'}
      description={meeting && meetingTimeText(meeting)}
      isDismissable
    >
      {meeting ? (
        <Details meeting={meeting} onAction={onAction} />
      ) : isGone ? (
        <Suspense fallback={null}>
          <CanceledOccurrence id={id} fallbackText={GONE} onView={(next) => onAction('view', next)} onClose={onClose} />
        </Suspense>
      ) : (
        <DialogBody>
          <AsyncContent
            query={query}
            failure="Failed to load the meeting"
            skeletons={<SkeletonRows count={4} hasDisc={false} />}
          >
            {() => null}
          </AsyncContent>
        </DialogBody>
      )}
    </Dialog>
  );
}

type DetailsProps = { meeting: Meeting; onAction: Props['onAction'] };

function Details({ meeting, onAction }: DetailsProps) {
  const { abilities } = meeting;
  const act = (action: MeetingAction) => () => onAction(action, meeting);
  const now = useNow();
  const hasNotes = canShowNotes(meeting, now);
  return (
    <>
      <DialogBody>
        {abilities.respond && (
          <Inline $gap={4} $rowGap={2} $justify="space-between" $wraps>
            <ResponseButtons meeting={meeting} />
          </Inline>
        )}
        <MeetingDetails meeting={meeting} />
        <LongText title="Description" text={meeting.description} />
        <LongText title="Agenda" text={meeting.agenda} />
        <AgendaList meeting={meeting} />
        <LongText title="Notes" text={meeting.notes} />
        <LongText title="Summary" text={meeting.summary} />
        {/* Closing is offered only after the start. */}
        {Date.parse(meeting.startTime) <= now && (
          <Suspense fallback={null}>
            <ClosingPanel meeting={meeting} onClose={act('close')} />
          </Suspense>
        )}
        <ParticipantList meeting={meeting} />
      </DialogBody>
      {(abilities.update || hasNotes || !meeting.isPast) && (
        <Foot>
          {abilities.delete && (
            <Button variant="ghost" icon={<Trash2 />} onPress={act('delete')}>
              Delete
            </Button>
          )}
          <Space />
          {!meeting.isPast && (
            <Suspense fallback={null}>
              <NoticeLevelMenu resource="meeting" id={meeting.seriesId ?? meeting._id} />
              <AddToCalendar meeting={meeting} />
            </Suspense>
          )}
          {hasNotes && (
            <Button icon={<NotebookPen />} onPress={act('notes')}>
              {notesAction(meeting)}
            </Button>
          )}
          {abilities.update && (
            <Button icon={<Pencil />} onPress={act('edit')}>
              Edit
            </Button>
          )}
          <JoinLink meeting={meeting} variant="primary" />
        </Foot>
      )}
    </>
  );
}

function LongText({ title, text }: { title: string; text: string }) {
  if (text === '') return null;
  return (
    <section>
      <PartHeading $tone="text2">{title}</PartHeading>
      <SectionText dir="auto">{text}</SectionText>
    </section>
  );
}

const SectionText = styled.p`
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`;

const Foot = styled(DialogFooter)`
  flex-wrap: wrap;
`;

const Space = styled.span`
  flex: 1;
  ${theme.media.small} {
    display: none;
  }
`;

function ParticipantList({ meeting }: { meeting: Meeting }) {
  const { participants, organizer } = meeting;
  const accepted = participants.filter(({ responseStatus }) => responseStatus === 'accepted').length;
  return (
    <section aria-label="Participants">
      <Inline $justify="space-between" $size="sm" $tone="text2" $tabular $below={1}>
        <Text as="h3" $size="sm" $weight={500}>
          {countPeople(participants.length, 'participant')}
        </Text>
        <span>{accepted} accepted</span>
      </Inline>
      <ul>
        {participants.map((person) => {
          const { label, tone } = RESPONSES[person.responseStatus];
          return (
            <ParticipantRow key={person._id}>
              <Avatar user={person} size={28} />
              <Text $clamp={1} title={person.email} dir="auto">
                {displayName(person)}
              </Text>
              {person._id === organizer._id ? (
                <Text $size="sm" $tone="text2">
                  Organizer
                </Text>
              ) : (
                <Pill tone={tone}>{label}</Pill>
              )}
            </ParticipantRow>
          );
        })}
      </ul>
    </section>
  );
}

const ParticipantRow = styled.li`
  display: grid;
  grid-template-columns: 28px minmax(0, 1fr) auto;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 44px;
  ${dividedStyles}
`;
