import { ManagedProcess } from '../process-manager/managed-process.ts';
import { startFirstAvailable } from './providers/find-program.ts';
import type { Address, BackingServer, LauncherContext, ServerName } from './server.ts';
import { serverNames } from './server.ts';
import { backingServers } from './table.ts';

export interface RunningServer {
  name: ServerName;
  address: Address;
  /** How it came here: a URL that was given, or the way it was found. */
  origin: string;
  /** The supervised process; a server that was given has none. */
  part?: ManagedProcess;
}

export type Addresses = Record<ServerName, Address>;

export interface Backing {
  servers: Map<ServerName, RunningServer>;
  addresses: Partial<Addresses>;
  /** What must exist before anybody uses the server, again: it may have come back empty. */
  provision(name: ServerName): Promise<void>;
  stop(): Promise<void>;
  hurry(): void;
}

const useGiven = async (server: BackingServer, address: Address): Promise<RunningServer> => {
  await server.answers(address).catch((error: Error) => {
    throw new Error(`${server.title} does not answer at the address given by ${server.variables}: ${error.message}`);
  });
  return { name: server.name, address, origin: 'given' };
};

const runOwn = async (
  server: BackingServer,
  toolbox: LauncherContext,
  keep: (part: ManagedProcess) => void,
): Promise<RunningServer> => {
  const order = server.name === 'postgres' ? 2 : 1;
  return startFirstAvailable(server, toolbox, async (program) => {
    const launch = await server.launch(program, toolbox);
    const part = new ManagedProcess({ ...launch.part, name: server.name, order, failsFast: true }, toolbox);
    keep(part);
    try {
      await part.start();
    } catch (error) {
      part.hurry();
      throw error;
    }
    return { name: server.name, address: launch.address, origin: `${program.version}, ${program.way}`, part };
  });
};

const bringUp = async (
  server: BackingServer,
  toolbox: LauncherContext,
  keep: (part: ManagedProcess) => void,
): Promise<RunningServer> => {
  const began = Date.now();
  const given = server.given(toolbox.env);
  const running = given ? await useGiven(server, given) : await runOwn(server, toolbox, keep);
  await server.provision?.(running.address, toolbox);
  toolbox.listener.say(server.name, `ready after ${((Date.now() - began) / 1000).toFixed(1)} s (${running.origin})`);
  return running;
};

// FerretDB stands on PostgreSQL, so it goes first; the others do not know each other.
const stopInOrder = async (parts: ManagedProcess[]): Promise<void> => {
  const last = parts.filter(({ name }) => name === 'postgres');
  await Promise.all(parts.filter((part) => !last.includes(part)).map((part) => part.stop()));
  await Promise.all(last.map((part) => part.stop()));
};

/** Finds, starts and prepares backing servers side by side; if one cannot be had, the others are stopped again. */
export const startBacking = async (
  box: Omit<LauncherContext, 'address'>,
  names: readonly ServerName[] = serverNames,
): Promise<Backing> => {
  const parts: ManagedProcess[] = [];
  const starting = new Map<ServerName, Promise<RunningServer>>();
  const address = async (name: ServerName): Promise<Address> => {
    const running = starting.get(name) ?? begin(name);
    return (await running).address;
  };
  const begin = (name: ServerName): Promise<RunningServer> => {
    const running = bringUp(backingServers[name], { ...box, address }, (part) => parts.push(part));
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
      await backingServers[name].provision?.(await address(name), { ...box, address });
    },
    stop: () => stopInOrder(parts),
    hurry,
  };
};
