import { ephemeralContext } from '../backing/launcher-context.ts';
import type { LauncherContext, ServerName } from '../backing/server.ts';
import { type Backing, startBacking } from '../backing/servers/start-backing.ts';
import type { ManagedProcess, ProcessListener } from '../process-manager/managed-process.ts';
import { buildWeb } from './build-web.ts';
import { openLogFile } from './log-file.ts';
import { createGatewayProcess, createServiceProcess, type PodOptions } from './pods.ts';
import { type SideProcess, services, sideProcesses } from './services.ts';
import { addressOf, type Settings, sharedValues } from './settings.ts';

export type BaseLauncherContext = Omit<LauncherContext, 'address'>;

export interface System {
  url: string;
  mailboxUrl: string | undefined;
  backing: Backing;
  serviceUrl(name: string): string;
  internalUrl(name: string): string;
  part(name: string): ManagedProcess;
  kill(name: string, signal?: NodeJS.Signals): void;
  stopService(name: string): Promise<void>;
  restart(name: string): Promise<void>;
  /** Stays stopped until `startBacking` starts it with the same port and data. */
  stopBacking(name: ServerName): Promise<void>;
  startBacking(name: ServerName): Promise<void>;
  stop(): Promise<void>;
  hurry(): void;
}

export const PREFIX = 'atrium';

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

export const settingsOf = (
  { backing, context, url }: { backing: Backing; context: BaseLauncherContext; url: string },
  chosen: Pick<Settings, 'ports' | 'gateway'>,
): Settings => ({
  shared: sharedValues(backing, context, url),
  nats: { ...addressOf(backing, 'nats'), prefix: PREFIX },
  postgres: addressOf(backing, 'postgres'),
  ...chosen,
});

interface SystemOptions {
  context: BaseLauncherContext;
  port?: number;
  publicUrl?: string;
}

export const startSystemIn = async ({ context, port, publicUrl }: SystemOptions): Promise<System> => {
  const building = buildWeb(context);
  building.catch(() => undefined);
  const [backing, chosen] = await Promise.all([
    startBacking({ ...context, natsPrefix: PREFIX }),
    choosePorts(context, port, sideProcesses),
  ]);
  const url = publicUrl ?? `http://127.0.0.1:${chosen.gateway.port}`;
  const settings = settingsOf({ backing, context, url }, chosen);
  const parts = [
    ...services.map(({ name }) => createServiceProcess(name, settings, context)),
    ...createSideProcesses(settings, context),
  ];
  const gateway = createGatewayProcess(settings, context);
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

export const createSideProcesses = (
  settings: Settings,
  context: BaseLauncherContext,
  more: (name: string) => PodOptions = () => ({}),
): ManagedProcess[] =>
  sideProcesses.map(({ name, service, env }) =>
    createServiceProcess(service, settings, context, { title: name, ...portOf(name, settings), ...more(name), env }),
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
      all.find((part) => part.name === name) ?? [...backing.servers.values()].find((part) => part.name === name)?.part;
    if (!found) throw new Error(`Unknown process ${name}`);
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
      await Promise.all(all.map((part) => part.stop()));
      await backing.stop();
    },
    hurry,
  };
};

interface TestSystemOptions {
  env?: Record<string, string>;
  listener?: ProcessListener;
  prepareDataDir?: (home: string) => void;
}

// External servers are shared, so tests can neither stop them nor expect them to be empty.
const EXTERNAL_SERVER_VARIABLES = [
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

const withoutExternalServers = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !EXTERNAL_SERVER_VARIABLES.includes(name)));

/** Private backing servers, free ports, temporary data, and a log that is kept after a failure. */
export const createTestContext = ({
  env = {},
  listener = openLogFile().listener,
  prepareDataDir,
}: TestSystemOptions = {}): BaseLauncherContext => {
  const created = ephemeralContext(listener, prepareDataDir);
  return { ...created, env: { ...withoutExternalServers(created.env), ...env } };
};

export const startSystemInContext = async (context: BaseLauncherContext): Promise<System> => {
  try {
    const system = await startSystemIn({ context });
    return {
      ...system,
      async stop() {
        await system.stop();
        await context.reaper.close();
        context.ports.release();
      },
    };
  } catch (error) {
    await context.reaper.close();
    context.ports.release();
    throw error;
  }
};

export const startSystem = (options: TestSystemOptions = {}): Promise<System> =>
  startSystemInContext(createTestContext(options));
