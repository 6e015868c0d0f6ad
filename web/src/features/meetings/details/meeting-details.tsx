import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { Clock, DoorOpen, FolderKanban, Link2, type LucideIcon, MapPin, Repeat, Tag, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { TYPE_LABELS, timeInMeetingZone } from '#entities/meeting/meeting-labels.ts';
import { recurrenceLabel } from '#entities/meeting/recurrence-label.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

export function MeetingDetails({ meeting }: { meeting: Meeting }) {
  // Undefined if the project no longer exists.
  const project = useProject(meeting.project).data;
  const items: { name: string; icon: LucideIcon; value: ReactNode }[] = [
    { name: 'Scheduled', icon: Clock, value: timeInMeetingZone(meeting) },
    {
      name: 'Repeats',
      icon: Repeat,
      value: recurrenceLabel(meeting)
        ?.replace('Repeats ', '')
        .replace(/^./, (letter) => letter.toUpperCase()),
    },
    { name: 'Room', icon: DoorOpen, value: meeting.room && <bdi>{meeting.room.name}</bdi> },
    { name: 'Location', icon: MapPin, value: meeting.location && <bdi>{meeting.location}</bdi> },
    { name: 'Link', icon: Link2, value: <Address meeting={meeting} /> },
    { name: 'Type', icon: Tag, value: TYPE_LABELS[meeting.type] },
    {
      name: 'Project',
      icon: FolderKanban,
      // Replaces the history entry of the open dialog, so that Back leads to the list.
      value: project && (
        <Link to={`/progress/${project._id}`} replace>
          <bdi>{project.name}</bdi>
        </Link>
      ),
    },
    { name: 'Organizer', icon: UserRound, value: <bdi>{displayName(meeting.organizer)}</bdi> },
  ];
  return (
    <List>
      {items
        .filter(({ value }) => value)
        .map(({ name, icon: Icon, value }) => (
          <div key={name}>
            <dt>
              <Icon aria-hidden="true" />
              {name}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
    </List>
  );
}

function Address({ meeting }: { meeting: Meeting }) {
  return (
    <a href={meeting.meetingLink} target="_blank" rel="noopener noreferrer">
      {meeting.meetingLink.replace(/^https?:\/\//, '')}
    </a>
  );
}

const List = styled.dl`
  display: grid;
  gap: ${theme.space[2]};
  > div {
    display: grid;
    grid-template-columns: 112px minmax(0, 1fr);
    gap: ${theme.space[3]};
  }
  dt {
    ${inlineStyles(2)}
    height: 20px;
    color: ${theme.color.text2};
  }
  dd {
    overflow-wrap: anywhere;
  }
  svg {
    flex: none;
    width: 16px;
    height: 16px;
    stroke-width: 1.75;
    color: ${theme.color.text3};
  }
`;
