/** Header of an event: its aggregate. Events of one aggregate are handled in order, others concurrently. */
export const AGGREGATE_HEADER = 'Atrium-Aggregate';

/** Header of a dead letter or a replayed event: the event's full subject. */
export const SUBJECT_HEADER = 'Atrium-Subject';
/** Header of a dead letter or a replayed event: the event's sequence in the producer's stream. */
export const SEQUENCE_HEADER = 'Atrium-Sequence';
/** Header of a dead letter: why no attempt succeeded, in one line. */
export const REASON_HEADER = 'Atrium-Reason';

/** Subject, below the prefix, of the events that a subscription failed to handle. */
export const deadLetterSubject = (service: string, subscription: string): string => `dead.${service}.${subscription}`;

/**
 * Subject, below the prefix, that only one subscription's durable consumes. An event published there, with its
 * original subject in the header, is handled again by that subscription and by no other.
 */
export const replaySubject = (producer: string, service: string, subscription: string): string =>
  `${producer}.replay.${service}.${subscription}`;
