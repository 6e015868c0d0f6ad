import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { Eye, NotebookPen, Pencil, Repeat, Trash2 } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { styled } from 'styled-components';
import {
  canShowNotes,
  notesAction,
  TYPE_LABELS,
  timeInMeetingZone,
  timeRange,
} from '#entities/meeting/meeting-labels.ts';
import { recurrenceLabel } from '#entities/meeting/recurrence-label.ts';
import { SoonPill } from '#entities/meeting/soon-pill.tsx';
import { AvatarStack } from '#entities/user/avatar-stack.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { formatTime } from '#lib/time/formats.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { captionStyles, ellipsis, hiddenInPrint, iconSize, inlineStyles } from '#ui/mixins.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { CardSurface } from '#ui/pages/card.tsx';
import { theme } from '#ui/theme.ts';
import { DayTile } from '#ui/times/day-tile.tsx';
import { daysFromToday, fullTime } from '#ui/times/time-format.ts';
import { JoinLink } from './join-link.tsx';
import { ResponseButtons } from './response-buttons.tsx';

const MAX_PARTICIPANTS = 6;

export function MeetingCard({ meeting, onAction }: CardActionsProps) {
  const start = new Date(meeting.startTime);
  const distance = daysFromToday(meeting.startTime, new Date(useNow()));
  const repeats = recurrenceLabel(meeting);
  return (
    <Root as="article" aria-label={meeting.title}>
      <DayTile date={start} isToday={distance === 0 && !meeting.isPast} showsName />
      <Body>
        <Head>
          <h3 title={meeting.title} dir="auto">
            {meeting.title}
          </h3>
          <SoonPill distance={distance} />
          {repeats && (
            <Repeats title={repeats}>
              <Repeat role="img" aria-label={repeats} />
            </Repeats>
          )}
        </Head>
        <CardMeta>
          <time
            dateTime={meeting.startTime}
            title={[fullTime(meeting.startTime), timeInMeetingZone(meeting)].filter(Boolean).join(' · ')}
          >
            {formatTime(start, { weekday: 'short' })} {timeRange(meeting)}
          </time>
          {meeting.location && (
            <span title={meeting.location} dir="auto">
              {meeting.location}
            </span>
          )}
          <span>{TYPE_LABELS[meeting.type]}</span>
          <span>by {displayName(meeting.organizer)}</span>
          <MoreOccurrences meeting={meeting} />
        </CardMeta>
      </Body>
      {meeting.abilities.respond && (
        <Respond>
          <ResponseButtons meeting={meeting} />
        </Respond>
      )}
      <Foot>
        <AvatarStack users={meeting.participants} count={meeting.participantCount} max={MAX_PARTICIPANTS} />
        <CardActions meeting={meeting} onAction={onAction} />
      </Foot>
    </Root>
  );
}

function MoreOccurrences({ meeting: { moreInSeries = 0, seriesId, title } }: Pick<CardActionsProps, 'meeting'>) {
  const [params] = useSearchParams();
  if (moreInSeries === 0 || !seriesId) return null;
  const search = new URLSearchParams(params);
  search.delete('page');
  search.set('series', seriesId);
  const text = `and ${formatNumber(moreInSeries)} more`;
  return (
    <Link to={`/meetings?${search}`} aria-label={`${text} ${moreInSeries === 1 ? 'date' : 'dates'} of ${title}`}>
      {text}
    </Link>
  );
}

const Root = styled(CardSurface)`
  display: grid;
  grid-template-columns: 44px minmax(0, 1fr) auto;
  gap: 0 ${theme.space[4]};
  padding: ${theme.space[4]} ${theme.gutter.card} ${theme.space[3]};
`;

const Body = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  align-content: start;
  gap: 2px;
  min-width: 0;
  ${theme.media.small} {
    grid-column: 2 / -1;
  }
`;

const Head = styled.div`
  ${inlineStyles(2)}
  min-height: 24px;
  h3 {
    min-width: 0;
    font: 600 ${theme.text.md};
    ${ellipsis}
  }
`;

const Repeats = styled.span`
  display: grid;
  flex: none;
  color: ${theme.color.text3};
  ${iconSize(14)}
`;

const CardMeta = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 2px ${theme.space[3]};
  ${captionStyles}
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
  > span {
    min-width: 0;
  }
`;

const Respond = styled.div`
  ${theme.media.small} {
    grid-column: 1 / -1;
    margin-top: ${theme.space[3]};
  }
`;

const Foot = styled.footer`
  grid-column: 2 / -1;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[1]} ${theme.space[3]};
  margin-top: ${theme.space[2]};
  min-height: 32px;
  ${theme.media.small} {
    grid-column: 1 / -1;
    margin-top: ${theme.space[3]};
  }
`;

export type MeetingAction = 'view' | 'edit' | 'notes' | 'close' | 'delete';

type CardActionsProps = {
  meeting: Meeting;
  onAction: (action: MeetingAction, meeting: Meeting) => void;
};

/** Everyone who can see the card can view and join the meeting. */
function CardActions({ meeting, onAction }: CardActionsProps) {
  const { abilities, title } = meeting;
  const now = useNow();
  const act = (action: MeetingAction) => () => onAction(action, meeting);
  return (
    <ActionRow>
      <Button size="sm" variant="ghost" icon={<Eye />} onPress={act('view')} aria-label={`View ${title}`}>
        View
      </Button>
      {abilities.update && (
        <Button size="sm" variant="ghost" icon={<Pencil />} onPress={act('edit')} aria-label={`Edit ${title}`}>
          Edit
        </Button>
      )}
      {canShowNotes(meeting, now) && (
        <Button size="sm" variant="ghost" icon={<NotebookPen />} onPress={act('notes')}>
          {notesAction(meeting)}
        </Button>
      )}
      {abilities.delete && (
        <Tooltip text="Delete">
          <IconButton label={`Delete ${title}`} tone="danger" onPress={act('delete')}>
            <Trash2 />
          </IconButton>
        </Tooltip>
      )}
      <JoinLink meeting={meeting} size="sm" />
    </ActionRow>
  );
}

const ActionRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: flex-end;
  gap: ${theme.space[1]};
  margin-inline-start: auto;
  > a {
    margin-inline-start: ${theme.space[2]};
  }
  ${theme.media.small} {
    flex: 1 0 100%;
    justify-content: flex-start;
    margin-inline-start: -10px;
    > a {
      margin-inline-start: auto;
    }
  }
  ${hiddenInPrint}
`;
