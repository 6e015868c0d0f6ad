/** Names the aggregate: its events are handled in order, and events of different aggregates concurrently. */
export const AGGREGATE_HEADER = 'Atrium-Aggregate';

/** The full subject of a dead letter or a replayed event. */
export const SUBJECT_HEADER = 'Atrium-Subject';
/** The sequence of a dead letter or a replayed event in the producer's stream. */
export const SEQUENCE_HEADER = 'Atrium-Sequence';
/** Why no attempt to handle a dead letter succeeded, in one line. */
export const REASON_HEADER = 'Atrium-Reason';

/** Returns the subject of a subscription's dead letters, below the prefix. */
export const deadLetterSubject = (service: string, subscription: string): string => `dead.${service}.${subscription}`;

/**
 * Returns the subject of replayed events, below the prefix. Only the durable of this subscription consumes it: an event
 * published there, with its original subject in the header, is handled again by this subscription and by no other.
 */
export const replaySubject = (producer: string, service: string, subscription: string): string =>
  `${producer}.replay.${service}.${subscription}`;
