import type { Cluster } from '@atrium/test-kit/system/start-cluster';

/** What one pod is told otherwise; called before each starts, with what it would be told. */
export type Furnish = (pod: { name: string; number: number; env: NodeJS.ProcessEnv }) => NodeJS.ProcessEnv;

/** What a world stands on, where it is no ordinary one. Scenarios of one place share a world. */
export type Place = {
  name: string;
  /** Why it cannot be had on this machine; undefined where it can. */
  missing?(): Promise<string | undefined>;
  /** Prepares the folder that backing servers keep their data in, before they start. */
  prepare?(home: string): void;
  /** Runs once what pods stand on is there. */
  lay?(cluster: Cluster): Promise<Furnish>;
  /** Runs once everything has ended. */
  clear?(): Promise<void>;
};

/** Nothing else than usual. */
export const ORDINARY: Place = { name: 'an ordinary one' };
