/** Something that waits for an operator. */
export type Entry = {
  id: string;
  /** The subscription, or the outbox of a service. */
  where: string;
  /** The event. */
  what: string;
  aggregate: string;
  when: string;
  why: string;
  /** The event's sequence in its stream, if it has one. */
  sequence: string;
  content: string;
};
