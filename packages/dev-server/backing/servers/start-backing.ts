import { ManagedProcess } from '../../process-manager/managed-process.ts';
import { startFirstAvailable } from '../providers/find-program.ts';
import type { Address, BackingServer, LauncherContext, ServerName } from '../server.ts';
import { serverNames } from '../server.ts';
import { mailbox } from './mailbox.ts';
import { mongo } from './mongo.ts';
import { nats } from './nats.ts';
import { objects } from './objects.ts';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';

export const backingServers: Record<ServerName, BackingServer> = { postgres, redis, nats, mongo, objects, mailbox };

interface RunningServer {
  name: ServerName;
  address: Address;
  origin: string;
  part?: ManagedProcess;
}

export type Addresses = Record<ServerName, Address>;

export interface Backing {
  servers: Map<ServerName, RunningServer>;
  addresses: Partial<Addresses>;
  provision(name: ServerName): Promise<void>;
  stop(): Promise<void>;
  hurry(): void;
}

const useConfigured = async (server: BackingServer, address: Address): Promise<RunningServer> => {
  await server.check(address).catch((error: Error) => {
    throw new Error(`${server.title} does not respond at the address in ${server.variables}: ${error.message}`);
  });
  return { name: server.name, address, origin: 'configured' };
};

const runOwn = async (
  server: BackingServer,
  context: LauncherContext,
  keep: (part: ManagedProcess) => void,
): Promise<RunningServer> => {
  const order = server.name === 'postgres' ? 2 : 1;
  return startFirstAvailable(server, context, async (program) => {
    const launch = await server.launch(program, context);
    const part = new ManagedProcess({ ...launch.part, name: server.name, order, failsFast: true }, context);
    keep(part);
    try {
      await part.start();
    } catch (error) {
      part.hurry();
      throw error;
    }
    return { name: server.name, address: launch.address, origin: `${program.version}, ${program.provider}`, part };
  });
};

const bringUp = async (
  server: BackingServer,
  context: LauncherContext,
  keep: (part: ManagedProcess) => void,
): Promise<RunningServer> => {
  const startedAt = Date.now();
  const configured = server.getConfigured(context.env);
  const running = configured ? await useConfigured(server, configured) : await runOwn(server, context, keep);
  await server.provision?.(running.address, context);
  context.listener.say(
    server.name,
    `ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s (${running.origin})`,
  );
  return running;
};

// FerretDB depends on PostgreSQL, so it stops first; the others are independent.
const stopInOrder = async (parts: ManagedProcess[]): Promise<void> => {
  const last = parts.filter(({ name }) => name === 'postgres');
  await Promise.all(parts.filter((part) => !last.includes(part)).map((part) => part.stop()));
  await Promise.all(last.map((part) => part.stop()));
};

export const startBacking = async (
  base: Omit<LauncherContext, 'address'>,
  names: readonly ServerName[] = serverNames,
): Promise<Backing> => {
  const parts: ManagedProcess[] = [];
  const starting = new Map<ServerName, Promise<RunningServer>>();
  const address = async (name: ServerName): Promise<Address> => {
    const running = starting.get(name) ?? begin(name);
    return (await running).address;
  };
  const begin = (name: ServerName): Promise<RunningServer> => {
    const running = bringUp(backingServers[name], { ...base, address }, (part) => parts.push(part));
    running.catch(() => undefined);
    starting.set(name, running);
    return running;
  };
  for (const name of names) if (!starting.has(name)) void begin(name).catch(() => undefined);
  const hurry = () => {
    for (const part of parts) part.hurry();
  };
  try {
    await Promise.all(starting.values());
  } catch (error) {
    hurry();
    throw error;
  }
  const running = await Promise.all(starting.values());
  return {
    servers: new Map(running.map((server) => [server.name, server])),
    addresses: Object.fromEntries(running.map((server) => [server.name, server.address])),
    async provision(name) {
      await backingServers[name].provision?.(await address(name), { ...base, address });
    },
    stop: () => stopInOrder(parts),
    hurry,
  };
};
