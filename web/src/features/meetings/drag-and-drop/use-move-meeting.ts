import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useRef } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { useWrite } from '#realtime/use-write.ts';
import { showErrorToast, showSuccess, showUndoable, withdrawUndo } from '#ui/overlays/toast.ts';
import { type CalendarEvent, countOthers } from '../layout/calendar-event.ts';
import { type Span, toTimes } from '../layout/span.ts';
import { type Scope, useMeetingActions } from '../use-meeting-actions.ts';

type Times = Pick<Meeting, 'startTime' | 'endTime'>;
type Options = { scope?: Scope; isUndo?: boolean };
type Move = { id: string; version: number; scope: Scope; to: Times };
/** The server's latest state, or the state before the first move on this screen. */
type Confirmed = { version: number; times: Times };

/**
 * Moves a meeting optimistically; a rejected move is reverted. Consecutive moves of a meeting are saved sequentially,
 * each at the version of the previous one. Without a response the result is unknown, so the meeting is refetched. A move
 * of a series cannot be undone, because it may have changed occurrences that differed.
 */
export function useMoveMeeting(announce: (text: string) => void) {
  const write = useWrite<Meeting>('meeting');
  const { update } = useMeetingActions();
  const inFlight = useRef(new Map<string, Promise<void>>());
  const confirmed = useRef(new Map<string, Confirmed>());
  const lastUndo = useRef<() => boolean>(() => false);

  const confirm = (id: string, next: Confirmed) => {
    const current = confirmed.current.get(id);
    if (!current || next.version > current.version) confirmed.current.set(id, next);
  };
  const send = async ({ id, version, scope, to }: Move): Promise<void> => {
    // If it was picked up during a save, its version is outdated.
    const body = { ...to, version: Math.max(version, confirmed.current.get(id)?.version ?? version) };
    const { version: saved, startTime, endTime } = await update(id, body, scope);
    confirm(id, { version: saved, times: { startTime, endTime } });
  };
  /** Restores the saved time, which may differ from that of a previous rejected move. */
  const revert = ({ id, to }: Move) => {
    const times = confirmed.current.get(id)?.times;
    write.changed(id, (meeting) => (isAt(meeting, to) ? { ...meeting, ...times } : meeting));
  };

  const move = async (event: CalendarEvent, target: Span, { scope = 'this', isUndo = false }: Options = {}) => {
    const { id, meeting, start, end } = event;
    const span = { start, end };
    if (!meeting) return;
    withdrawUndo();
    const step: Move = { id, version: meeting.version, scope, to: toTimes(target) };
    confirm(id, { version: meeting.version, times: toTimes(span) });
    write.changed(id, (cached) => ({ ...cached, ...step.to }));
    // The rejection of a previous move has already been reported.
    const previous = inFlight.current.get(id)?.catch(() => undefined);
    const request = (previous ?? Promise.resolve()).then(() => send(step));
    inFlight.current.set(id, request);
    try {
      await request;
      if (isUndo) showSuccess('Meeting moved back', countOthers(event) > 0 ? RSVP_RESET : undefined);
      else if (scope !== 'this') showSuccess('Meeting updated successfully');
      else
        lastUndo.current = showUndoable('Meeting updated successfully', () => {
          void move({ ...event, ...target }, span, { isUndo: true });
        });
    } catch (error) {
      write.refetch('/meetings');
      if (isLost(error)) {
        const text = `Could not confirm whether ${isolate(meeting.title)} was moved`;
        announce(text);
        showErrorToast(error, 'Failed to update meeting', text);
      } else {
        revert(step);
        announce(`${meeting.title} was moved back`);
        showErrorToast(error, 'Failed to update meeting');
      }
    } finally {
      if (inFlight.current.get(id) === request) inFlight.current.delete(id);
    }
  };

  return { move, undo: () => lastUndo.current() };
}

const RSVP_RESET = 'Participants will be asked to respond again.';

/** Whether there was no response to a move, which may have been saved. */
const isLost = (error: unknown) => error instanceof ApiError && error.status === 0;

const isAt = (meeting: Times, { startTime, endTime }: Times) =>
  meeting.startTime === startTime && meeting.endTime === endTime;
