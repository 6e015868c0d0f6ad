import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { MeetingRow } from './meeting-repository.ts';

type MeetingAccess = {
  organizer_id: string;
  is_past: boolean;
  is_closed: boolean;
  participants: readonly { id: string }[];
};

export const canCreate = (caller: Caller) => caller.role !== 'member';

/** The organizer is always a participant. */
export const canView = (caller: Caller, meeting: Pick<MeetingAccess, 'participants'>) =>
  caller.role === 'admin' || isInvited(caller, meeting);

export const canEdit = (caller: Caller) => caller.role !== 'member';

/** Whether the caller is invited to the series, or can see each of its meetings. */
export const canChangeSeries = (
  caller: Caller,
  series: { participant_ids: readonly string[] },
  occurrences: readonly { user_ids: readonly string[] | null }[],
) =>
  caller.role === 'admin' ||
  series.participant_ids.includes(caller.userId) ||
  occurrences.every(({ user_ids }) => user_ids?.includes(caller.userId));

export const isInvited = (caller: Caller, meeting: Pick<MeetingAccess, 'participants'>) =>
  meeting.participants.some(({ id }) => id === caller.userId);

export function abilities(caller: Caller, meeting: MeetingAccess) {
  const isOpen = !meeting.is_past;
  return {
    update: canEdit(caller) && isOpen,
    delete: canEdit(caller) && isOpen && !meeting.is_closed,
    addNotes: canEdit(caller),
    respond: isOpen && isInvited(caller, meeting) && meeting.organizer_id !== caller.userId,
  };
}

/** Throws `not_found` for hidden and for unknown meetings. */
export function assertVisible(caller: Caller, row: MeetingRow | undefined): MeetingRow {
  if (!row || !canView(caller, row)) throw notFound('Meeting');
  return row;
}
