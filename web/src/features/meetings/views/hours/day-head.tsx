import { styled } from 'styled-components';
import { type Day, dateOfDay } from '#lib/day.ts';
import { formatTime } from '#lib/formats.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { dayLabel } from '../event-labels.ts';

/** The height of the sticky header in pixels. */
export const HEAD_PX = 49;

type HeadProps = { day: Day; isToday: boolean; onPick: (day: Day) => void };

/** Opens the day view. */
export function DayHead({ day, isToday, onPick }: HeadProps) {
  const date = dateOfDay(day);
  return (
    <Head $isToday={isToday}>
      <button
        type="button"
        // By keyboard, D opens the day of the cursor.
        tabIndex={-1}
        onClick={() => onPick(day)}
      >
        <span aria-hidden="true">{formatTime(date, { weekday: 'short' })}</span>
        <b aria-hidden="true">{date?.getDate()}</b>
        <VisuallyHidden>{`${dayLabel(day)}${isToday ? ', today' : ''}`}</VisuallyHidden>
      </button>
    </Head>
  );
}

const Head = styled.div<{ $isToday: boolean }>`
  position: sticky;
  top: 0;
  z-index: 5;
  height: ${HEAD_PX}px;
  padding: ${theme.space[2]} ${theme.space[1]};
  border-bottom: 1px solid ${theme.color.line};
  border-inline-start: 1px solid ${theme.color.line};
  background: ${theme.color.surface};
  > button {
    display: flex;
    align-items: baseline;
    justify-content: center;
    gap: ${theme.space[2]};
    width: 100%;
    min-height: 32px;
    border: 0;
    border-radius: ${theme.radius.md};
    background: transparent;
    color: ${({ $isToday }) => ($isToday ? theme.color.accent : theme.color.text)};
    cursor: pointer;
  }
  > button:hover {
    background: ${theme.color.hover};
  }
  > button:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -2px;
  }
  span[aria-hidden] {
    font: 500 ${theme.text.xs};
    color: ${({ $isToday }) => ($isToday ? theme.color.accent : theme.color.text2)};
  }
  b {
    font: 600 ${theme.text.lg};
    line-height: 32px;
    font-variant-numeric: tabular-nums;
  }
`;
