import { randomBytes } from 'node:crypto';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { findDocker } from '@atrium/dev-server/backing/providers/in-container';
import type { Address, ServerName } from '@atrium/dev-server/backing/server';
import { serverNames } from '@atrium/dev-server/backing/server';
import { backingServers, startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { RUN_VARIABLE, SERVERS_VARIABLE } from './backing-servers.ts';
import { removeLeftovers as removeLeftoversOf } from './remove-leftovers.ts';

interface TestServers {
  /** Removes what the test run has created on external servers. */
  removeLeftovers(): Promise<void>;
  stop(): Promise<void>;
}

/** Servers that have a container image. The mail catcher is a program of this repository. */
const CONTAINERIZED: readonly ServerName[] = ['postgres', 'redis', 'nats', 'mongo', 'objects'];

/**
 * Starts the backing servers of a test run: from a URL in the environment if set, else with testcontainers if a Docker
 * engine responds, else with the launcher's providers. Jest's workers receive the addresses in an environment variable.
 */
export const startTestServers = async (): Promise<TestServers> => {
  const run = `t${randomBytes(4).toString('hex')}`;
  const log = (name: string, text: string) => void process.stderr.write(`${name}: ${text}\n`);
  const launcherContext = ephemeralContext({ line: () => undefined, log });
  const external = new Map<ServerName, Address>();
  for (const name of serverNames) {
    const address = backingServers[name].getAddressFromEnv(process.env);
    if (address) external.set(name, address);
  }
  const containerized = (await findDocker()) ? CONTAINERIZED.filter((name) => !external.has(name)) : [];
  const containers = containerized.length
    ? await (await import('./containers.ts')).startContainers(containerized, log)
    : undefined;
  const remaining = serverNames.filter((name) => !containers?.addresses[name]);
  const backing = await startBacking(launcherContext, remaining);
  const addresses = { ...backing.addresses, ...containers?.addresses };
  process.env[SERVERS_VARIABLE] = JSON.stringify(addresses);
  process.env[RUN_VARIABLE] = run;
  const removeLeftovers = () => removeLeftoversOf(run, external);
  return {
    removeLeftovers,
    async stop() {
      try {
        await removeLeftovers();
      } finally {
        await Promise.allSettled([backing.stop(), containers?.stop()]);
        await launcherContext.reaper.close();
        launcherContext.ports.release();
      }
    },
  };
};
