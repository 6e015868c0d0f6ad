import type { World } from './chaos-environment.ts';
import type { Place } from './environment.ts';

/** Takes a cause away again. Whatever is still wrong afterwards is the product's to mend, without a hand. */
export type Recover = () => Promise<void>;

/** Something that goes wrong while people work, and what of it they may notice. */
export type Scenario = {
  name: string;
  /** Where it goes wrong; an ordinary world, unless told. */
  place?: Place;
  /**
   * Whose calls may fail or take longer from the cause on until all is well again: names of services, or `gateway` where any may. All
   * others answer every call, and at most twice as slowly as they did just before.
   */
  affected: readonly string[];
  /** Makes it go wrong. A throw is a fault of the scenario. */
  cause(world: World): Promise<Recover>;
  /** How long the cause lasts once it is there; not at all, unless told. */
  lastsMs?: number;
  /** Lines of an error that it makes the processes write on purpose, besides those of processes that died. */
  provokes?: readonly RegExp[];
  /** How many dead letters it makes on purpose. */
  deadLetters?: number;
  /** Whether a mail may come twice: what was sent and not noted is sent again. */
  mailsTwice?: boolean;
  /** Whether mails that came are lost there. */
  mailsLost?: boolean;
  /** Whether streams lose what was told, so that it cannot be compared with the rows in the end. */
  forgets?: boolean;
};
