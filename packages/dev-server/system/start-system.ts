import { ephemeralContext } from '../backing/launcher-context.ts';
import type { LauncherContext, ServerName } from '../backing/server.ts';
import { type Backing, startBacking } from '../backing/start-backing.ts';
import type { ManagedProcess, ProcessListener } from '../process-manager/managed-process.ts';
import { buildWeb } from './build-web.ts';
import { openKeptLog } from './log-file.ts';
import { gatewayPart, type PodOptions, servicePart } from './pods.ts';
import { type SideProcess, services, sideProcesses } from './services.ts';
import { addressOf, type Settings, sharedValues } from './settings.ts';

export type BaseLauncherContext = Omit<LauncherContext, 'address'>;

export interface System {
  /** The address that people open. */
  url: string;
  /** The mailbox's page and API; absent where mail goes to a server that was given. */
  mailboxUrl: string | undefined;
  backing: Backing;
  /** Where a service listens itself, past the gateway. */
  serviceUrl(name: string): string;
  /** Where a service, or the gateway, has its probes and metrics. */
  internalUrl(name: string): string;
  /** The supervised process of a service, of the gateway or of a backing server. */
  part(name: string): ManagedProcess;
  /** Sends a signal as an outsider would; what dies of it is started again. */
  kill(name: string, signal?: NodeJS.Signals): void;
  /** Stops one service, which stays down until `restart`. */
  stopService(name: string): Promise<void>;
  restart(name: string): Promise<void>;
  /** Stops one backing server, which stays down until `startBacking`, on the same port with the same data, provisioned again. */
  stopBacking(name: ServerName): Promise<void>;
  startBacking(name: ServerName): Promise<void>;
  /** Services first, then what they stand on. */
  stop(): Promise<void>;
  hurry(): void;
}

/** What streams, buckets and subjects of a deployment begin with. */
export const PREFIX = 'atrium';

/** Where each process listens; the gateway where it is told to. `besides` are those of services that have more than one. */
export const choosePorts = async (
  { ports }: BaseLauncherContext,
  port: number | undefined,
  besides: readonly SideProcess[] = [],
): Promise<Pick<Settings, 'ports' | 'gateway'>> => {
  const gateway = { port: port ?? (await ports.of('gateway')), internalPort: await ports.of('gateway-internal') };
  const names = [...services, ...besides].map(({ name }) => name);
  const entries = await Promise.all(names.map(async (name) => [name, await ports.of(name)] as const));
  return { ports: new Map(entries), gateway };
};

/** What every process is told, where they are to be found at those ports. */
export const settingsOf = (
  { backing, box, url }: { backing: Backing; box: BaseLauncherContext; url: string },
  chosen: Pick<Settings, 'ports' | 'gateway'>,
): Settings => ({
  shared: sharedValues(backing, box, url),
  nats: { ...addressOf(backing, 'nats'), prefix: PREFIX },
  postgres: addressOf(backing, 'postgres'),
  ...chosen,
});

interface SystemOptions {
  box: BaseLauncherContext;
  /** The gateway's port; a free one unless told. */
  port?: number;
  publicUrl?: string;
}

/** Starts the whole of Atrium: backing servers, the web app's build, every service and the gateway, all supervised. */
export const startSystemIn = async ({ box, port, publicUrl }: SystemOptions): Promise<System> => {
  const building = buildWeb(box);
  building.catch(() => undefined);
  const [backing, chosen] = await Promise.all([
    startBacking({ ...box, natsPrefix: PREFIX }),
    choosePorts(box, port, sideProcesses),
  ]);
  const url = publicUrl ?? `http://127.0.0.1:${chosen.gateway.port}`;
  const settings = settingsOf({ backing, box, url }, chosen);
  const parts = [...services.map(({ name }) => servicePart(name, settings, box)), ...sideParts(settings, box)];
  const gateway = gatewayPart(settings, box);
  const all = [...parts, gateway];
  const hurry = () => {
    for (const part of all) part.hurry();
    backing.hurry();
  };
  try {
    const starting = Promise.all(parts.map((part) => part.start()));
    starting.catch(() => undefined);
    await building;
    await Promise.all([starting, gateway.start()]);
  } catch (error) {
    hurry();
    throw error;
  }
  return handles({ url, settings, backing, all, hurry });
};

/** The further processes of services, not started yet; `more` says what each of them is told besides. */
export const sideParts = (
  settings: Settings,
  box: BaseLauncherContext,
  more: (name: string) => PodOptions = () => ({}),
): ManagedProcess[] =>
  sideProcesses.map(({ name, service, env }) =>
    servicePart(service, settings, box, { title: name, ...portOf(name, settings), ...more(name), env }),
  );

const portOf = (name: string, { ports }: Settings): { port?: number } => {
  const port = ports.get(name);
  return port === undefined ? {} : { port };
};

interface Running {
  url: string;
  settings: Settings;
  backing: Backing;
  all: ManagedProcess[];
  hurry(): void;
}

const handles = ({ url, settings, backing, all, hurry }: Running): System => {
  const part = (name: string): ManagedProcess => {
    const found =
      all.find((one) => one.name === name) ?? [...backing.servers.values()].find((one) => one.name === name)?.part;
    if (!found) throw new Error(`There is no process ${name} of ours`);
    return found;
  };
  return {
    url,
    mailboxUrl: backing.addresses.mailbox?.webUrl,
    backing,
    internalUrl: (name) =>
      `http://127.0.0.1:${name === 'gateway' ? settings.gateway.internalPort : settings.ports.get(name)}`,
    serviceUrl: (name) => `http://127.0.0.1:${settings.ports.get(name)}`,
    part,
    kill: (name, signal = 'SIGKILL') => part(name).kill(signal),
    stopService: (name) => part(name).stop(),
    restart: async (name) => {
      await part(name).stop();
      await part(name).start();
    },
    stopBacking: (name) => part(name).stop(),
    async startBacking(name) {
      await part(name).start();
      await backing.provision(name);
    },
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
      await backing.stop();
    },
    hurry,
  };
};

interface PrivateOptions {
  /** Further variables for the processes, such as a rate limit. */
  env?: Record<string, string>;
  listener?: ProcessListener;
  /** Puts an earlier start's data into the home. */
  furnish?: (home: string) => void;
}

// Servers that were given are shared, so they can be neither stopped nor expected to be empty.
const GIVEN = [
  'POSTGRES_URL',
  'REDIS_URL',
  'POSTGRES_DIRECT_URL',
  'NATS_URL',
  'MONGO_URL',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'SMTP_URL',
  'MAILBOX_URL',
];

const withoutGiven = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !GIVEN.includes(name)));

/** What a whole Atrium of a test's own works with: its own backing servers, free ports, data that goes with it, and a log that a failure keeps. */
export const privateBox = ({
  env = {},
  listener = openKeptLog().listener,
  furnish,
}: PrivateOptions = {}): BaseLauncherContext => {
  const made = ephemeralContext(listener, furnish);
  return { ...made, env: { ...withoutGiven(made.env), ...env } };
};

/** Starts a whole Atrium in such a box; the box ends with it. */
export const startPrivateSystem = async (box: BaseLauncherContext): Promise<System> => {
  try {
    const system = await startSystemIn({ box });
    return {
      ...system,
      async stop() {
        await system.stop();
        await box.guard.close();
        box.ports.release();
      },
    };
  } catch (error) {
    await box.guard.close();
    box.ports.release();
    throw error;
  }
};

/** A whole Atrium of a test's own: private backing servers, free ports, data that goes with it. */
export const startSystem = (options: PrivateOptions = {}): Promise<System> => startPrivateSystem(privateBox(options));
