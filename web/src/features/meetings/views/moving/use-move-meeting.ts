import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type { updateMeeting } from '@atrium/proto-events/http/meetings';
import { useRef } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { useRefresh } from '../../../../realtime/use-refresh.ts';
import { useShow } from '../../../../realtime/use-show.ts';
import { showFailure } from '../../../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../../../ui/overlays/toast.ts';
import type { CalendarEvent } from '../../layout/calendar-event.ts';
import type { Span } from '../../layout/span.ts';
import type { Scope } from '../../use-meeting-actions.ts';

type Times = Pick<Meeting, 'startTime' | 'endTime'>;
type Move = { id: string; version: number; scope: Scope; from: Times; to: Times };

const timesOf = ({ start, end }: Span): Times => ({
  startTime: new Date(start).toISOString(),
  endTime: new Date(end).toISOString(),
});

/**
 * Moves a meeting: it stands there at once, and where the server refuses it is put back and said why. Of several moves of one meeting in
 * a row each waits for the one before it, whose version it stands on.
 */
export function useMoveMeeting(say: (words: string) => void) {
  const show = useShow<Meeting>('meeting');
  const refresh = useRefresh();
  const underWay = useRef(new Map<string, Promise<number>>());

  const send = async ({ id, version, scope, to }: Move): Promise<number> => {
    const body = { ...to, version };
    const saved = await call<typeof updateMeeting>('PATCH /meetings/:id', { params: { id }, query: { scope }, body });
    show.saved(saved);
    return saved.version;
  };
  const putBack = ({ id, from, to }: Move) =>
    show.changed(id, (meeting) => (isAt(meeting, to) ? { ...meeting, ...from } : meeting));

  return async ({ id, meeting, ...span }: CalendarEvent, target: Span, scope: Scope = 'this'): Promise<void> => {
    if (!meeting) return;
    const move: Move = { id, version: meeting.version, scope, from: timesOf(span), to: timesOf(target) };
    show.changed(id, (known) => ({ ...known, ...move.to }));
    const before = underWay.current.get(id);
    // One that was refused has said so itself.
    const turn = (before?.catch(() => move.version) ?? Promise.resolve(move.version)).then((version) =>
      send({ ...move, version }),
    );
    underWay.current.set(id, turn);
    try {
      await turn;
      showSuccess('Meeting updated successfully');
    } catch (error) {
      putBack(move);
      say(`${meeting.title} is back where it was`);
      showFailure(error, 'Failed to update meeting');
    } finally {
      if (underWay.current.get(id) === turn) underWay.current.delete(id);
      refresh('/meetings');
    }
  };
}

const isAt = (meeting: Times, { startTime, endTime }: Times) =>
  meeting.startTime === startTime && meeting.endTime === endTime;
