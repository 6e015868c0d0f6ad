import { CalendarDate } from '@internationalized/date';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import {
  Calendar as AriaCalendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarHeading,
  type CalendarProps,
} from 'react-aria-components/Calendar';
import { styled } from 'styled-components';
import { weekStart } from '#lib/time/date-preferences.ts';
import { type Day, PATTERN } from '#lib/time/day.ts';
import { iconButtonStyles } from '../icon-button.tsx';
import { focusRing } from '../mixins.ts';
import { theme } from '../theme.ts';

type MarkedDays = { days: ReadonlySet<Day>; description: string };

type Props = Omit<CalendarProps<CalendarDate>, 'children' | 'className' | 'firstDayOfWeek'> & {
  markedDays?: MarkedDays;
};

export function Calendar({ markedDays, ...props }: Props) {
  return (
    <Root {...props} firstDayOfWeek={weekStart()}>
      <Head>
        <CalendarHeading />
        <Turn slot="previous" aria-label="Previous month">
          <ChevronLeft />
        </Turn>
        <Turn slot="next" aria-label="Next month">
          <ChevronRight />
        </Turn>
      </Head>
      <Grid weekdayStyle="short">
        <CalendarGridHeader>{(day) => <Weekday>{day}</Weekday>}</CalendarGridHeader>
        <CalendarGridBody>{(date) => <DayCell date={date} markedDays={markedDays} />}</CalendarGridBody>
      </Grid>
    </Root>
  );
}

function DayCell({ date, markedDays }: { date: CalendarDate; markedDays: MarkedDays | undefined }) {
  if (!markedDays?.days.has(date.toString())) return <Cell date={date} />;
  return (
    <Cell
      date={date}
      data-marked
      // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the props include the role of a button.
      render={(cell) => <div {...cell} aria-label={`${cell['aria-label']}, ${markedDays.description}`} />}
    />
  );
}

const Root = styled(AriaCalendar<CalendarDate>)`
  width: max-content;
  ${theme.media.small} {
    width: 100%;
  }
`;

const Head = styled.header`
  display: flex;
  align-items: center;
  h2 {
    flex: 1;
    padding: 0 ${theme.space[2]};
    font: 600 ${theme.text.md};
  }
`;

const Turn = styled(Button)`
  ${iconButtonStyles}
  width: 36px;
  height: 36px;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  ${theme.media.small} {
    width: 44px;
    height: 44px;
  }
`;

const Grid = styled(CalendarGrid)`
  margin-top: ${theme.space[1]};
  border-collapse: collapse;
  td {
    padding: 0;
  }
  ${theme.media.small} {
    width: 100%;
    table-layout: fixed;
  }
`;

const Weekday = styled(CalendarHeaderCell)`
  width: 36px;
  height: 28px;
  padding: 0;
  font: 500 ${theme.text.xs};
  color: ${theme.color.text3};
  text-align: center;
`;

const Cell = styled(CalendarCell)`
  position: relative;
  display: grid;
  place-items: center;
  width: 36px;
  height: 36px;
  border-radius: ${theme.radius.md};
  font-variant-numeric: tabular-nums;
  outline: none;
  cursor: pointer;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  &[data-disabled] {
    color: ${theme.color.text3};
    opacity: 0.5;
    cursor: default;
  }
  &[data-outside-month] {
    color: ${theme.color.text3};
    opacity: 1;
  }
  &[data-today] {
    font-weight: 600;
    color: ${theme.color.accent};
  }
  &[data-selected] {
    background: ${theme.color.accent};
    color: ${theme.color.onAccent};
    font-weight: 600;
  }
  ${focusRing}
  &[data-marked]::after {
    content: '';
    position: absolute;
    bottom: 4px;
    inset-inline-start: calc(50% - 2.5px);
    width: 5px;
    height: 5px;
    border-radius: ${theme.radius.full};
    background: ${theme.color.accent};
  }
  &[data-marked][data-selected]::after {
    background: ${theme.color.onAccent};
  }
  ${theme.media.small} {
    width: 100%;
    height: 44px;
  }
`;

export function toCalendarDate(day: Day | ''): CalendarDate | null {
  const [, year, month, date] = PATTERN.exec(day) ?? [];
  return year && month && date ? new CalendarDate(Number(year), Number(month), Number(date)) : null;
}
