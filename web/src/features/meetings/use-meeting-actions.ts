import type { CallOf } from '@atrium/proto-events/endpoint';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type {
  createMeeting,
  deleteMeeting,
  respondToMeeting,
  updateMeeting,
} from '@atrium/proto-events/http/meetings/meetings';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useWrite } from '#realtime/use-write.ts';

export type Scope = 'this' | 'following' | 'all';
export type Rsvp = 'accepted' | 'declined' | 'tentative';

export function useMeetingActions() {
  const write = useWrite<Meeting>('meeting');
  return {
    create: async (body: CallOf<typeof createMeeting>['body'], idempotencyKey: string) => {
      await call<typeof createMeeting>('POST /meetings', { body }, idempotencyOptions(idempotencyKey));
      write.refetch('/meetings');
    },
    update: async (id: string, body: CallOf<typeof updateMeeting>['body'], scope: Scope = 'this') => {
      const saved = await call<typeof updateMeeting>('PATCH /meetings/:id', { params: { id }, query: { scope }, body });
      write.saved(saved);
      write.refetch('/meetings');
      return saved;
    },
    remove: async (meeting: Meeting, scope: Scope) => {
      await call<typeof deleteMeeting>('DELETE /meetings/:id', { params: { id: meeting._id }, query: { scope } });
      write.deleted((listed) => isInScope(listed, meeting, scope));
      write.refetch('/meetings');
    },
    /**
     * Responds to the meeting at the displayed time; rejected if the time changed, and the lists then show the new time.
     * Returns the meeting that was responded to, which is the next one in a series if this meeting is over.
     */
    respond: async ({ _id: id, startTime }: Meeting, status: Rsvp, scope: Scope) => {
      const input = { params: { id }, query: { scope }, body: { status, startTime } };
      try {
        const responded = await call<typeof respondToMeeting>('POST /meetings/:id/respond', input);
        write.saved(responded);
        return responded;
      } finally {
        write.refetch('/meetings');
      }
    },
  };
}

/** Whether a change of scope applies to a meeting of the same series; past meetings never change. */
function isInScope(meeting: Meeting, changed: Meeting, scope: Scope): boolean {
  if (meeting._id === changed._id) return true;
  if (scope === 'this' || changed.seriesId === null || meeting.seriesId !== changed.seriesId) return false;
  return !meeting.isPast && (scope === 'all' || meeting.startTime > changed.startTime);
}
