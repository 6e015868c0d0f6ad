import { ManagedProcess } from '../../process-manager/managed-process.ts';
import { startFirstAvailable } from '../providers/find-program.ts';
import type { Address, BackingServer, LauncherContext, ServerName } from '../server.ts';
import { PROVIDER_LABELS, serverNames } from '../server.ts';
import { mailCatcher } from './mail-catcher.ts';
import { mongo } from './mongo.ts';
import { nats } from './nats.ts';
import { objects } from './objects.ts';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';

export const backingServers: Record<ServerName, BackingServer> = {
  postgres,
  redis,
  nats,
  mongo,
  objects,
  mailbox: mailCatcher,
};

interface RunningServer {
  name: ServerName;
  address: Address;
  origin: string;
  process?: ManagedProcess;
}

export type Addresses = Record<ServerName, Address>;

export interface Backing {
  servers: Map<ServerName, RunningServer>;
  addresses: Partial<Addresses>;
  provision(name: ServerName): Promise<void>;
  stop(): Promise<void>;
  killAll(): void;
}

const connectConfigured = async (server: BackingServer, address: Address): Promise<RunningServer> => {
  await server.check(address).catch((error: Error) => {
    throw new Error(`${server.title} does not respond at the address in ${server.envVariables}: ${error.message}`);
  });
  return { name: server.name, address, origin: 'configured' };
};

const startOwnServer = async (
  server: BackingServer,
  context: LauncherContext,
  onCreate: (process: ManagedProcess) => void,
): Promise<RunningServer> => {
  const stopPhase = server.name === 'postgres' ? 2 : 1;
  return startFirstAvailable(server, context, async (program) => {
    const launch = await server.launch(program, context);
    const process = new ManagedProcess({ ...launch.spec, name: server.name, stopPhase, failsFast: true }, context);
    onCreate(process);
    try {
      await process.start();
    } catch (error) {
      process.killNow();
      throw error;
    }
    const origin = `${program.version}, ${PROVIDER_LABELS[program.provider]}`;
    return { name: server.name, address: launch.address, origin, process };
  });
};

const startServer = async (
  server: BackingServer,
  context: LauncherContext,
  onCreate: (process: ManagedProcess) => void,
): Promise<RunningServer> => {
  const startedAt = Date.now();
  const configured = server.getAddressFromEnv(context.env);
  const running = configured
    ? await connectConfigured(server, configured)
    : await startOwnServer(server, context, onCreate);
  await server.provision?.(running.address, context);
  context.listener.log(
    server.name,
    `ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s (${running.origin})`,
  );
  return running;
};

// FerretDB depends on PostgreSQL, so it stops first; the others are independent.
const stopInOrder = async (processes: ManagedProcess[]): Promise<void> => {
  const isLast = ({ name }: ManagedProcess) => name === 'postgres';
  await Promise.all(processes.filter((process) => !isLast(process)).map((process) => process.stop()));
  await Promise.all(processes.filter(isLast).map((process) => process.stop()));
};

export const startBacking = async (
  base: Omit<LauncherContext, 'address'>,
  names: readonly ServerName[] = serverNames,
): Promise<Backing> => {
  const processes: ManagedProcess[] = [];
  const starting = new Map<ServerName, Promise<RunningServer>>();
  const address = async (name: ServerName): Promise<Address> => {
    const running = starting.get(name) ?? start(name);
    return (await running).address;
  };
  const start = (name: ServerName): Promise<RunningServer> => {
    const running = startServer(backingServers[name], { ...base, address }, (process) => processes.push(process));
    running.catch(() => undefined);
    starting.set(name, running);
    return running;
  };
  for (const name of names) if (!starting.has(name)) void start(name).catch(() => undefined);
  const killAll = () => {
    for (const process of processes) process.killNow();
  };
  try {
    await Promise.all(starting.values());
  } catch (error) {
    killAll();
    throw error;
  }
  const running = await Promise.all(starting.values());
  return {
    servers: new Map(running.map((server) => [server.name, server])),
    addresses: Object.fromEntries(running.map((server) => [server.name, server.address])),
    async provision(name) {
      await backingServers[name].provision?.(await address(name), { ...base, address });
    },
    stop: () => stopInOrder(processes),
    killAll,
  };
};
