import { styled } from 'styled-components';
import { useUsersByIds } from '#entities/user/use-users.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { formatTimeRange } from '#lib/time/formats.ts';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { wholeHour } from '#ui/times/time-format.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { overlaps, type Span } from '../layout/span.ts';
import { listHourMarks, positionIn } from './day-grid.ts';

type BusyUser = { person: string; busy: readonly Span[] };

type Props = { people: readonly BusyUser[]; part: Span; chosenSpan: Span | undefined };

const spanText = ({ start, end }: Span) => formatTimeRange(start, end, { separator: ' to ' });

export function BusyRows({ people, part, chosenSpan }: Props) {
  const users = useUsersByIds(people.map(({ person }) => person)).data?.data ?? [];
  return (
    <Rows>
      <Hours aria-hidden="true">
        <div />
        <div>
          {listHourMarks(part).map((mark) => (
            <span key={mark} style={{ left: `${positionIn(part, { start: mark, end: mark + 1 })?.left ?? 0}%` }}>
              {wholeHour(mark)}
            </span>
          ))}
        </div>
      </Hours>
      <ul aria-label="Busy times">
        {people.map((row) => (
          <BusyUserRow
            key={row.person}
            name={displayName(users.find(({ _id }) => _id === row.person))}
            busy={row.busy}
            part={part}
            chosenSpan={chosenSpan}
          />
        ))}
      </ul>
    </Rows>
  );
}

type RowProps = { name: string; busy: readonly Span[]; part: Span; chosenSpan: Span | undefined };

function BusyUserRow({ name, busy, part, chosenSpan }: RowProps) {
  const isTaken = chosenSpan !== undefined && busy.some((span) => overlaps(span, chosenSpan));
  const visibleSpans = busy.filter((span) => overlaps(span, part));
  const chosenPosition = chosenSpan && positionIn(part, chosenSpan);
  return (
    <Row>
      <span>
        <b dir="auto">{name}</b>
        {chosenSpan && <Pill tone={isTaken ? 'danger' : 'success'}>{isTaken ? 'Busy' : 'Free'}</Pill>}
      </span>
      <VisuallyHidden>
        {visibleSpans.length === 0 ? 'Not busy on this day' : `Busy ${visibleSpans.map(spanText).join(', ')}`}
      </VisuallyHidden>
      <Track aria-hidden="true">
        {visibleSpans.map((span) => {
          const position = positionIn(part, span);
          return (
            position && (
              <Block key={span.start} title="Busy" style={{ left: `${position.left}%`, width: `${position.width}%` }} />
            )
          );
        })}
        {chosenPosition && (
          <Chosen $isTaken={isTaken} style={{ left: `${chosenPosition.left}%`, width: `${chosenPosition.width}%` }} />
        )}
      </Track>
    </Row>
  );
}

const columns = '168px minmax(0, 1fr)';

const Rows = styled.div`
  ul {
    display: grid;
    gap: ${theme.space[1]};
  }
`;

const Hours = styled.div`
  display: grid;
  grid-template-columns: ${columns};
  gap: ${theme.space[3]};
  > div {
    position: relative;
    height: 18px;
  }
  span {
    position: absolute;
    font: ${theme.text.xs};
    color: ${theme.color.text3};
    white-space: nowrap;
    transform: translateX(-50%);
  }
  /* There is no space before the first hour. */
  span:first-child {
    transform: none;
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
    gap: 0;
    > div:first-child {
      display: none;
    }
    span:nth-child(even) {
      display: none;
    }
  }
`;

const Row = styled.li`
  position: relative;
  display: grid;
  grid-template-columns: ${columns};
  gap: ${theme.space[3]};
  align-items: center;
  min-height: 32px;
  > span:first-child {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: ${theme.space[2]};
    min-width: 0;
  }
  b {
    overflow: hidden;
    font: ${theme.text.sm};
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
    gap: ${theme.space[1]};
    padding-bottom: ${theme.space[2]};
  }
`;

const Track = styled.div`
  position: relative;
  height: 24px;
  overflow: hidden;
  border-radius: ${theme.radius.sm};
  background: ${theme.color.sunken};
`;

const Block = styled.span`
  position: absolute;
  top: 3px;
  bottom: 3px;
  min-width: 2px;
  border-radius: 4px;
  background: ${theme.color.lineStrong};
`;

const Chosen = styled.span<{ $isTaken: boolean }>`
  position: absolute;
  top: 0;
  bottom: 0;
  border: 2px solid ${({ $isTaken }) => ($isTaken ? theme.color.danger : theme.color.accent)};
  border-radius: ${theme.radius.sm};
`;
