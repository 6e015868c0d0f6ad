import { deterministicId } from './new-id.ts';

/*
 * Ids that the notifications service derives from those of events. Backups recognize by them what came after a snapshot.
 */

/** Identifies one of the events of a notification: short, because there may be a hundred. */
export const toEventKey = (eventId: string): string => deterministicId(eventId).slice(-12);

/** Returns the outcome that is reported of an email; uncertain ones are retried a few more times. */
export const outcomeOf = ({ state }: { state: string }): string => (state === 'queued' ? 'uncertain' : state);

/** Returns the id of the event that reports the outcome of an email. */
export const outcomeEventId = (email: { _id: string; state: string }): string =>
  deterministicId(`${email._id}:${outcomeOf(email)}`);
