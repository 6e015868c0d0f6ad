import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { useBusyTimes, useFreeTimes } from '#entities/meeting/use-planning.ts';
import { dayOfDate } from '#lib/time/day.ts';
import { formatTime, formatTimeRange } from '#lib/time/formats.ts';
import { Button } from '#ui/button.tsx';
import { Caption, Inline } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { Skeleton, SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { dayRange } from '../layout/month-range.ts';
import { MINUTE_MS, type Span } from '../layout/span.ts';
import { BusyRows } from './busy-rows.tsx';
import { shownPart } from './day-grid.ts';
import { type Times, toInstants } from './meeting-times.ts';
import { clock, type MeetingValues } from './meeting-values.ts';

type Props<Out> = {
  form: Pick<UseFormReturn<MeetingValues, unknown, Out>, 'control' | 'setValue'>;
  organizerId: string;
  /** The edited meeting, which does not count as busy time. */
  except?: string;
  /** The times that the form was filled with. */
  initialTimes?: Times | undefined;
};

const HOUR_MINUTES = 60;
/** The limit in the contract of busy times. */
const MAX_USERS = 500;
const INITIAL_ROWS = 8;
const MAX_ROWS = 100;
/** Heights of the rendered rows, for the skeleton. */
const HEAD_PX = 18;
const ROW_PX = 36;

export function Availability<Out>({ form, organizerId, except, initialTimes }: Props<Out>) {
  const [date, startTime, endTime, participants] = useWatch({
    control: form.control,
    name: ['date', 'startTime', 'endTime', 'participants'],
  });
  const [isExpanded, setExpanded] = useState(false);
  const people = [organizerId, ...participants.filter((id) => id !== organizerId)].slice(0, MAX_USERS);
  const day = dayRange(date);
  const times = toInstants({ date, startTime, endTime }, initialTimes);
  const chosenSpan = toOptionalSpan(times.startTime, times.endTime);
  const busy = useBusyTimes(day && { people, ...day, except: except ?? null });
  const part = shownPart(date, chosenSpan);
  if (!day || !part || participants.length === 0) return null;

  const rows = (busy.data?.data ?? []).map((row) => ({ person: row.person, busy: row.busy.map(toSpan) }));
  const visibleRows = rows.slice(0, isExpanded ? MAX_ROWS : INITIAL_ROWS);
  const pick = ({ start, end }: { start: string; end: string }) => {
    const startDate = new Date(start);
    const endDate = new Date(end);
    const change = { shouldDirty: true, shouldValidate: true } as const;
    form.setValue('date' as never, dayOfDate(startDate) as never, change);
    form.setValue('startTime' as never, clock(startDate) as never, change);
    form.setValue('endTime' as never, clock(endDate) as never, change);
  };
  return (
    <Panel aria-label="Who is free">
      <h3>Who is free</h3>
      {busy.data ? (
        <BusyRows people={visibleRows} part={part} chosenSpan={chosenSpan} />
      ) : busy.error ? (
        <p role="status">Availability could not be loaded. You can still schedule the meeting.</p>
      ) : (
        <Skeleton label="Loading availability">
          <SkeletonBlock height={HEAD_PX + ROW_PX * Math.min(people.length, INITIAL_ROWS)} />
        </Skeleton>
      )}
      {rows.length > visibleRows.length && (
        <div>
          {isExpanded ? (
            <p>{`and ${rows.length - visibleRows.length} more`}</p>
          ) : (
            <Button size="sm" variant="ghost" onPress={() => setExpanded(true)}>
              {`Show all ${rows.length}`}
            </Button>
          )}
        </div>
      )}
      <h3>Next times everyone is free</h3>
      <NextFreeTimes
        people={people}
        from={times.startTime ?? day.from}
        durationMinutes={getDurationMinutes(chosenSpan)}
        except={except ?? null}
        onPick={pick}
      />
    </Panel>
  );
}

const toSpan = ({ start, end }: { start: string; end: string }): Span => ({
  start: Date.parse(start),
  end: Date.parse(end),
});

const toOptionalSpan = (start: string | undefined, end: string | undefined): Span | undefined =>
  start !== undefined && end !== undefined && start < end ? toSpan({ start, end }) : undefined;

const getDurationMinutes = (chosenSpan: Span | undefined) =>
  chosenSpan ? Math.max(5, (chosenSpan.end - chosenSpan.start) / MINUTE_MS) : HOUR_MINUTES;

const Panel = styled.section`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[3]};
  padding: ${theme.space[4]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  h3 {
    margin: 0;
    font: 500 ${theme.text.sm};
  }
  p {
    margin: 0;
    ${captionStyles}
  }
`;

type FreeTimesProps = {
  people: string[];
  from: string;
  durationMinutes: number;
  except: string | null;
  onPick: (time: { start: string; end: string }) => void;
};

const dayLabel = (time: string) => formatTime(time, { weekday: 'short', day: 'numeric', month: 'short' });

export function NextFreeTimes({ onPick, ...search }: FreeTimesProps) {
  const { data, error } = useFreeTimes(search);
  if (error) return <Caption role="status">The next free times could not be loaded. Retrying…</Caption>;
  if (!data) return <Caption role="status">Looking for times when everyone is free…</Caption>;
  if (data.message !== null) return <Caption role="status">{data.message}</Caption>;
  return (
    <Inline as="ul" $gap={2} $wraps aria-label="Next times everyone is free">
      {data.data.map((time) => (
        <li key={time.start}>
          <Button size="sm" onPress={() => onPick(time)}>
            {`${dayLabel(time.start)}, ${formatTimeRange(time.start, time.end)}`}
          </Button>
        </li>
      ))}
    </Inline>
  );
}
