import type { CallOf } from '@atrium/proto-events/endpoint';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type { createMeeting, deleteMeeting, respondToMeeting, updateMeeting } from '@atrium/proto-events/http/meetings';
import { call } from '../../lib/api/api.ts';
import { idempotencyOptions } from '../../lib/hooks/use-idempotency-key.ts';
import { useCacheUpdate } from '../../realtime/use-cache-update.ts';
import { useInvalidate } from '../../realtime/use-invalidate.ts';

export type Scope = 'this' | 'following' | 'all';
export type Answer = 'accepted' | 'declined' | 'tentative';

/** The writes; each shows what it has saved, and makes every list of meetings ask again. */
export function useMeetingActions() {
  const refresh = useInvalidate();
  const show = useCacheUpdate<Meeting>('meeting');
  return {
    create: async (body: CallOf<typeof createMeeting>['body'], idempotencyKey: string) => {
      await call<typeof createMeeting>('POST /meetings', { body }, idempotencyOptions(idempotencyKey));
      refresh('/meetings');
    },
    update: async (id: string, body: CallOf<typeof updateMeeting>['body'], scope: Scope = 'this') => {
      const saved = await call<typeof updateMeeting>('PATCH /meetings/:id', { params: { id }, query: { scope }, body });
      show.saved(saved);
      refresh('/meetings');
      return saved;
    },
    remove: async (meeting: Meeting, scope: Scope) => {
      await call<typeof deleteMeeting>('DELETE /meetings/:id', { params: { id: meeting._id }, query: { scope } });
      show.gone((other) => isOfScope(other, meeting, scope));
      refresh('/meetings');
    },
    /**
     * Answers for the time on the screen; one that changed meanwhile is refused, and the lists show the new one. Gives what was answered: of a
     * series whose meeting is over the first that is to come.
     */
    respond: async ({ _id: id, startTime }: Meeting, status: Answer, scope: Scope) => {
      const input = { params: { id }, query: { scope }, body: { status, startTime } };
      try {
        const answered = await call<typeof respondToMeeting>('POST /meetings/:id/respond', input);
        show.saved(answered);
        return answered;
      } finally {
        refresh('/meetings');
      }
    },
  };
}

/** Whether a meeting is one of those that a change of another is for. Past ones never change. */
function isOfScope(meeting: Meeting, changed: Meeting, scope: Scope): boolean {
  if (meeting._id === changed._id) return true;
  if (scope === 'this' || changed.seriesId === null || meeting.seriesId !== changed.seriesId) return false;
  return !meeting.isPast && (scope === 'all' || meeting.startTime > changed.startTime);
}
