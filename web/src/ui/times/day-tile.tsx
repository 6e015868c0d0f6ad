import { styled } from 'styled-components';
import { formatTime } from '#lib/time/formats.ts';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';
import { shortDate } from './time-format.ts';

type Props = {
  date: Date;
  isToday: boolean;
  showsName?: boolean;
};

export function DayTile({ date, isToday, showsName = false }: Props) {
  return (
    <Tile $isToday={isToday}>
      {showsName && <VisuallyHidden>{shortDate(date)}</VisuallyHidden>}
      <span aria-hidden="true">
        <small>{formatTime(date, { month: 'short' })}</small>
        {date.getDate()}
      </span>
    </Tile>
  );
}

const Tile = styled.span<{ $isToday: boolean }>`
  display: grid;
  place-content: center;
  width: 44px;
  height: 48px;
  border-radius: ${theme.radius.md};
  background: ${({ $isToday }) => ($isToday ? theme.color.accent : theme.color.sunken)};
  color: ${({ $isToday }) => ($isToday ? theme.color.onAccent : theme.color.text)};
  text-align: center;
  font: 600 16px / 20px var(--font);
  font-variant-numeric: tabular-nums;
  small {
    display: block;
    font: 500 11px / 14px var(--font);
    color: ${({ $isToday }) => ($isToday ? 'inherit' : theme.color.text3)};
  }
`;
