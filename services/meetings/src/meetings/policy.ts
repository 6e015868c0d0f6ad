import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Who may do what with meetings (specification, section 6; decisions, section 5). Pure: no I/O, no state. */

type Seen = { organizer_id: string; is_past: boolean; is_closed: boolean; participants: readonly { id: string }[] };

export const CREATE_REFUSED = 'Only Admin and Project Manager can schedule meetings';
export const UPDATE_REFUSED = 'Only Admin and Project Manager can edit meetings';
export const DELETE_REFUSED = 'Only Admin and Project Manager can delete meetings';
export const TOGETHER_REFUSED =
  'You are not invited to all of these meetings. Please change the one you are invited to alone.';
export const RESPOND_REFUSED = 'Only invited people can respond to a meeting';

export const mayCreate = (caller: Caller) => caller.role !== 'member';

/** Organiser, participants, administrators. The organiser is always a participant. */
export const maySee = (caller: Caller, meeting: Pick<Seen, 'participants'>) =>
  caller.role === 'admin' || isInvited(caller, meeting);

/** Of those who see it. */
export const mayEdit = (caller: Caller) => caller.role !== 'member';

/** Several meetings of a series at once: who is of the series, or sees each of them. */
export const mayChangeTogether = (
  caller: Caller,
  series: { participant_ids: readonly string[] },
  members: readonly { user_ids: readonly string[] | null }[],
) =>
  caller.role === 'admin' ||
  series.participant_ids.includes(caller.userId) ||
  members.every(({ user_ids }) => user_ids?.includes(caller.userId));

export const isInvited = (caller: Caller, meeting: Pick<Seen, 'participants'>) =>
  meeting.participants.some(({ id }) => id === caller.userId);

/** What the screen offers: never more than the server would do. */
export function abilities(caller: Caller, meeting: Seen) {
  const open = !meeting.is_past;
  return {
    update: mayEdit(caller) && open,
    delete: mayEdit(caller) && open && !meeting.is_closed,
    addNotes: mayEdit(caller),
    respond: open && isInvited(caller, meeting) && meeting.organizer_id !== caller.userId,
  };
}
