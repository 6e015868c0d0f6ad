/** A dead letter or a rejected outbox row, for an operator to handle. */
export type Entry = {
  id: string;
  /** The subscription, or the outbox of a service. */
  where: string;
  /** The event type. */
  what: string;
  aggregate: string;
  when: string;
  why: string;
  /** The event's sequence in its stream, if known. */
  sequence: string;
  content: string;
};
