import { randomBytes } from 'node:crypto';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { findDocker } from '@atrium/dev-server/backing/providers/in-container';
import type { Address, ServerName } from '@atrium/dev-server/backing/server';
import { serverNames } from '@atrium/dev-server/backing/server';
import { backingServers, startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { RUN_VARIABLE, SERVERS_VARIABLE } from './backing-servers.ts';
import { removeLeftovers } from './remove-leftovers.ts';

interface TestServers {
  tidy(): Promise<void>;
  stop(): Promise<void>;
}

/** Servers available as containers; the mail catcher is our own program. */
const CONTAINED: readonly ServerName[] = ['postgres', 'redis', 'nats', 'mongo', 'objects'];

/**
 * Once per run: a URL in the environment takes precedence, then testcontainers if a Docker engine responds,
 * otherwise the launcher's providers. Workers receive the addresses by environment.
 */
export const startTestServers = async (): Promise<TestServers> => {
  const run = `t${randomBytes(4).toString('hex')}`;
  const say = (name: string, text: string) => void process.stderr.write(`${name}: ${text}\n`);
  const launcherContext = ephemeralContext({ line: () => undefined, log: say });
  const external = new Map<ServerName, Address>();
  for (const name of serverNames) {
    const address = backingServers[name].getConfigured(process.env);
    if (address) external.set(name, address);
  }
  const contained = (await findDocker()) ? CONTAINED.filter((name) => !external.has(name)) : [];
  const containers = contained.length
    ? await (await import('./containers.ts')).startContainers(contained, say)
    : undefined;
  const others = serverNames.filter((name) => !containers?.addresses[name]);
  const backing = await startBacking(launcherContext, others);
  const addresses = { ...backing.addresses, ...containers?.addresses };
  process.env[SERVERS_VARIABLE] = JSON.stringify(addresses);
  process.env[RUN_VARIABLE] = run;
  const tidy = () => removeLeftovers(run, external);
  return {
    tidy,
    async stop() {
      try {
        await tidy();
      } finally {
        await Promise.allSettled([backing.stop(), containers?.stop()]);
        await launcherContext.reaper.close();
        launcherContext.ports.release();
      }
    },
  };
};
