/** Header of an event: what it is about. Events of one aggregate are handled in their order, and others beside them. */
export const AGGREGATE_HEADER = 'Atrium-Aggregate';

/** Header of a dead letter, and of what is replayed: the full subject of the event. */
export const SUBJECT_HEADER = 'Atrium-Subject';
/** Header of a dead letter, and of what is replayed: the event's sequence in the stream of its producer. */
export const SEQUENCE_HEADER = 'Atrium-Sequence';
/** Header of a dead letter: why no attempt succeeded, in one line. */
export const REASON_HEADER = 'Atrium-Reason';

/** The subject, below the prefix, of what a subscription could not handle. */
export const deadLetterSubject = (service: string, subscription: string): string => `dead.${service}.${subscription}`;

/**
 * The subject, below the prefix, for which one subscription's durable alone asks: an event published there, with its own subject in
 * the header, is handled by that subscription once more, and by nobody else.
 */
export const replaySubject = (producer: string, service: string, subscription: string): string =>
  `${producer}.replay.${service}.${subscription}`;
