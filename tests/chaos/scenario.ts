import type { ChaosEnvironment } from './chaos-environment.ts';
import type { Environment } from './environment.ts';

/** Removes the cause. Everything else must recover without intervention. */
export type Recover = () => Promise<void>;

/** A failure while users work, and the effects that they may notice. */
export type Scenario = {
  name: string;
  /** Where it runs; the default environment if absent. */
  environment?: Environment;
  /**
   * Services whose calls may fail or slow down from the cause until the recovery; `gateway` stands for all. Every other
   * call must succeed and take at most twice as long as just before.
   */
  affected: readonly string[];
  /** Causes the failure. A thrown error fails the scenario. */
  cause(chaos: ChaosEnvironment): Promise<Recover>;
  /** How long the cause lasts; 0 if absent. */
  durationMs?: number;
  /** Error lines that the processes are expected to log, besides those of killed processes. */
  expectedErrors?: readonly RegExp[];
  /** Number of dead letters that it is expected to produce. */
  deadLetters?: number;
  /** Whether an email may be sent twice, because one that was sent but not recorded is sent again. */
  allowsDuplicateEmails?: boolean;
  /** Whether received emails are lost. */
  losesEmails?: boolean;
  /** Whether streams lose events, so that they can no longer be compared with the rows. */
  losesEvents?: boolean;
};
