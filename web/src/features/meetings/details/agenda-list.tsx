import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { Caption, Inline, PartHeading } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { clockTime } from '#ui/times/time-format.ts';
import { agendaTimes } from '../form/agenda-times.ts';

export function AgendaList({ meeting }: { meeting: Meeting }) {
  const items = meeting.agendaItems;
  if (items.length === 0) return null;
  const { starts, end } = agendaTimes(meeting.startTime, items);
  const isLong = Date.parse(end) > Date.parse(meeting.endTime);
  return (
    <section aria-label="Agenda items">
      <PartHeading $tone="text2">Agenda items</PartHeading>
      <List>
        {items.map(({ title, minutes, who }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items are identified by position
          <li key={index}>
            <time dateTime={starts[index]}>{clockTime(starts[index] ?? '')}</time>
            <span>
              <bdi>{title}</bdi>
              <small>
                {minutes} min
                {who && (
                  <Inline as="span" $gap="6px">
                    <Avatar user={who} size={20} /> <bdi>{displayName(who)}</bdi>
                  </Inline>
                )}
              </small>
            </span>
          </li>
        ))}
      </List>
      {isLong && (
        <Caption $tone="warning" $above={2}>
          The agenda runs until {clockTime(end)}, past the end of the meeting.
        </Caption>
      )}
    </section>
  );
}

const List = styled.ol`
  display: grid;
  gap: ${theme.space[2]};
  li {
    display: grid;
    grid-template-columns: 68px minmax(0, 1fr);
    gap: ${theme.space[3]};
  }
  time {
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
    color: ${theme.color.text2};
  }
  li > span {
    overflow-wrap: anywhere;
  }
  small {
    display: flex;
    flex-wrap: wrap;
    gap: 2px ${theme.space[3]};
    ${captionStyles}
  }
`;
