import { useCallback, useMemo, useRef, useState } from 'react';
import { keyframes, styled } from 'styled-components';
import { useRefetchOnMeetingEnd } from '#entities/meeting/use-meetings.ts';
import { messageOf } from '#lib/api/api-error.ts';
import { type Day, dayOfDate } from '#lib/time/day.ts';
import { Caption } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { CardSurface } from '#ui/pages/card.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { Skeleton, SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { MoveMeetingDialog } from '../drag-and-drop/move-meeting-dialog.tsx';
import { useMoveMeeting } from '../drag-and-drop/use-move-meeting.ts';
import type { Moved } from '../drag-and-drop/use-moving.ts';
import { type CalendarEvent, countOthers, type LoadState } from '../layout/calendar-event.ts';
import { spanWithDayLabel } from '../layout/event-labels.ts';
import { rangeLabel, shiftDay, shownDays, suggestFirstHour } from '../layout/shown-range.ts';
import type { Span } from '../layout/span.ts';
import { Agenda } from './agenda.tsx';
import { CalendarBar, VIEW_LABELS } from './calendar-bar.tsx';
import type { GridProps } from './grid-props.ts';
import { MonthGrid } from './month-grid.tsx';
import { TimeGrid } from './time-grid.tsx';
import { useCalendarKeys } from './use-calendar-keys.ts';
import { useCalendarView, useEvents } from './use-events.ts';

type Props = {
  isCovered: boolean;
  onView: (id: string) => void;
  onSchedule: ((span: Span | undefined) => void) | undefined;
};

const FAILURE = 'Failed to load meetings';

const VIEW_COMPONENTS = { month: MonthGrid, week: TimeGrid, day: TimeGrid, agenda: Agenda };

export function CalendarScreen({ isCovered, onView, onSchedule }: Props) {
  const calendarView = useCalendarView();
  const { view, day, today, show } = calendarView;
  const { days, events, query, loadState, hasLoadedOnce, hasMore, needsSelection } = useEvents(calendarView);
  const { announce, region } = useAnnouncer();
  const { move, undo } = useMoveMeeting(announce);
  const { pendingMove, restoredEvent, confirmMove, endMove, revertMove } = usePendingMove(announce);
  const cursorDay = useRef<Day>(day);
  const takesFocus = useRef(false);
  useRefetchOnMeetingEnd(useMemo(() => events.flatMap(({ meeting }) => meeting ?? []), [events]));
  const navigate = (by: 1 | -1, index = 0): Day => {
    const next = shiftDay(view, day, by);
    show.day(next);
    const nextDays = shownDays(view, next);
    return nextDays[Math.min(Math.max(0, index), nextDays.length - 1)] ?? next;
  };
  useCalendarKeys({
    isOff: isCovered || pendingMove !== null,
    onView(next) {
      takesFocus.current = document.activeElement?.closest('[role="application"]') != null;
      show.view(next, view === 'agenda' ? day : cursorDay.current);
    },
    onToday: () => show.day(today),
    onNavigate: navigate,
    onNew: onSchedule && (() => onSchedule(suggestFirstHour(cursorDay.current))),
    onUndo: undo,
  });
  const onDrop = (event: CalendarEvent, span: Span) => {
    if (event.meeting?.isRecurring || countOthers(event) > 0) return confirmMove({ event, span, by: 'pointer' });
    announce(`${event.title} is on ${spanWithDayLabel(span)}`);
    void move(event, span);
  };
  const grid: GridProps = {
    days,
    day,
    today,
    events,
    loadState,
    label: `${VIEW_LABELS[view]}, ${rangeLabel(view, day)}`,
    pendingMove,
    restoredEvent,
    announce,
    takesFocus,
    isCovered: isCovered || pendingMove !== null,
    onCursorDay: useCallback((next: Day) => {
      cursorDay.current = next;
    }, []),
    onOpen: ({ meeting }) => meeting && onView(meeting._id),
    onDrop,
    onDay: (date) => show.day(dayOfDate(date), 'replace'),
    onNavigate: navigate,
    onPickDay: (picked) => show.view('day', picked),
    onSchedule,
  };
  const View = VIEW_COMPONENTS[view];
  return (
    <section aria-label="Calendar">
      <CalendarBar calendarView={calendarView} onNavigate={navigate} />
      {hasMore && <Hint>There are more meetings than can be shown. Show fewer days to see all.</Hint>}
      {needsSelection && <Hint>Choose whose calendar to show.</Hint>}
      {hasLoadedOnce && <LoadingState loadState={loadState} query={query} />}
      <AsyncContent
        query={{
          data: hasLoadedOnce || undefined,
          error: query.error,
          isValidating: query.isValidating,
          mutate: () => query.mutate(),
        }}
        failure={FAILURE}
        skeletons={
          <Skeleton label="Loading meetings">
            <SkeletonBlock height={560} />
          </Skeleton>
        }
        isFramed
      >
        {() => <View key={view} {...grid} />}
      </AsyncContent>
      {region}
      {pendingMove && (
        <MoveMeetingDialog
          {...pendingMove}
          onClose={endMove}
          onCancel={revertMove}
          onConfirm={(scope) => void move(pendingMove.event, pendingMove.span, { scope })}
        />
      )}
    </section>
  );
}

type Dropped = Moved & { event: CalendarEvent };

/** Keeps a dropped event in place until its move is confirmed, because a move asks everyone to respond again. */
function usePendingMove(announce: (text: string) => void) {
  const [pendingMove, setPendingMove] = useState<Dropped | null>(null);
  const [restoredEvent, setRestoredEvent] = useState<CalendarEvent | null>(null);
  return {
    pendingMove,
    restoredEvent,
    confirmMove: setPendingMove,
    endMove: () => setPendingMove(null),
    revertMove() {
      if (!pendingMove) return;
      // Copied, so that the same event can be restored twice.
      setRestoredEvent({ ...pendingMove.event });
      announce(`${pendingMove.event.title} was moved back`);
    },
  };
}

function useAnnouncer() {
  const [announcement, setAnnouncement] = useState({ text: '', count: 0 });
  const announce = useCallback((text: string) => setAnnouncement(({ count }) => ({ text, count: count + 1 })), []);
  const region = (
    <VisuallyHidden aria-live="assertive" data-announcement={announcement.count}>
      {/* The key creates a new element, so that repeated text is announced. */}
      <span key={announcement.count}>{announcement.text}</span>
    </VisuallyHidden>
  );
  return { announce, region };
}

function Hint({ children }: { children: string }) {
  return (
    <Caption $below={3} role="status">
      {children}
    </Caption>
  );
}

type LoadingStateProps = {
  loadState: LoadState;
  query: { error?: unknown; isValidating: boolean; mutate: () => Promise<unknown> };
};

function LoadingState({ loadState, query: { error, isValidating, mutate } }: LoadingStateProps) {
  return (
    <>
      {/* A live region must be mounted before its text changes. */}
      <LoadingRegion role="status">{loadState === 'loading' && <LoadingLabel>Loading</LoadingLabel>}</LoadingRegion>
      {loadState === 'failed' && (
        <Failure>
          <ErrorState
            title={FAILURE}
            detail={messageOf(error, '')}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        </Failure>
      )}
    </>
  );
}

/* Takes no space, so that the grid below does not move. */
const LoadingRegion = styled.div`
  position: relative;
  z-index: 8;
  height: 0;
  text-align: center;
  pointer-events: none;
`;

const appear = keyframes`from { opacity: 0; }`;

/* Delayed, so that it does not flash for fast responses. */
const LoadingLabel = styled.span`
  position: absolute;
  top: ${theme.space[4]};
  inset-inline-start: 50%;
  translate: -50% 0;
  padding: ${theme.space[1]} ${theme.space[3]};
  border-radius: ${theme.radius.full};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.float};
  ${captionStyles}
  animation: ${appear} 120ms 200ms backwards;
`;

const Failure = styled(CardSurface)`
  margin-bottom: ${theme.space[4]};
`;
