import type { Cluster } from '@atrium/test-kit/system/start-cluster';

/** Overrides for the environment variables of one pod; called before each start with the defaults. */
export type PodEnvOverrides = (pod: { name: string; number: number; env: NodeJS.ProcessEnv }) => NodeJS.ProcessEnv;

/** Where scenarios run. Scenarios with the same environment share one installation. */
export type Environment = {
  name: string;
  /** Returns why this machine cannot provide the environment, or undefined if it can. */
  getUnavailableReason?(): Promise<string | undefined>;
  /** Prepares the data folder of the backing servers before they start. */
  prepareDataDir?(dataDir: string): void;
  /** Runs once the backing servers are up. */
  prepareCluster?(cluster: Cluster): Promise<PodEnvOverrides>;
  /** Runs after everything has stopped. */
  cleanUp?(): Promise<void>;
};

export const DEFAULT_ENVIRONMENT: Environment = { name: 'the default environment' };
