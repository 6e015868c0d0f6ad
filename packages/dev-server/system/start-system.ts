import { ephemeralContext } from '../backing/launcher-context.ts';
import type { LauncherContext, ServerName } from '../backing/server.ts';
import { type Backing, startBacking } from '../backing/servers/start-backing.ts';
import type { ManagedProcess, ProcessListener } from '../process-manager/managed-process.ts';
import { buildWeb } from './build-web.ts';
import { openLogFile } from './log-file.ts';
import { createGatewayProcess, createServiceProcess, type PodOptions } from './pods.ts';
import { type RoleProcess, roleProcesses, services } from './services.ts';
import { buildSharedVariables, getAddress, type Settings } from './settings.ts';

export type BaseLauncherContext = Omit<LauncherContext, 'address'>;

export interface System {
  url: string;
  mailboxUrl: string | undefined;
  backing: Backing;
  serviceUrl(name: string): string;
  internalUrl(name: string): string;
  getProcess(name: string): ManagedProcess;
  kill(name: string, signal?: NodeJS.Signals): void;
  stopService(name: string): Promise<void>;
  restart(name: string): Promise<void>;
  /** Stops a server until `startBacking` starts it again with the same port and data. */
  stopBacking(name: ServerName): Promise<void>;
  startBacking(name: ServerName): Promise<void>;
  stop(): Promise<void>;
  killAll(): void;
}

export const NATS_PREFIX = 'atrium';

export const choosePorts = async (
  { ports }: BaseLauncherContext,
  port: number | undefined,
  additionalProcesses: readonly RoleProcess[] = [],
): Promise<Pick<Settings, 'ports' | 'gateway'>> => {
  const gateway = {
    port: port ?? (await ports.reserve('gateway')),
    internalPort: await ports.reserve('gateway-internal'),
  };
  const names = [...services, ...additionalProcesses].map(({ name }) => name);
  const entries = await Promise.all(names.map(async (name) => [name, await ports.reserve(name)] as const));
  return { ports: new Map(entries), gateway };
};

export const buildSettings = (
  { backing, context, url }: { backing: Backing; context: BaseLauncherContext; url: string },
  ports: Pick<Settings, 'ports' | 'gateway'>,
): Settings => ({
  shared: buildSharedVariables(backing, context, url),
  nats: { ...getAddress(backing, 'nats'), prefix: NATS_PREFIX },
  postgres: getAddress(backing, 'postgres'),
  ...ports,
});

interface SystemOptions {
  context: BaseLauncherContext;
  port?: number;
  publicUrl?: string;
}

export const launchSystem = async ({ context, port, publicUrl }: SystemOptions): Promise<System> => {
  const webBuild = buildWeb(context);
  webBuild.catch(() => undefined);
  const [backing, ports] = await Promise.all([
    startBacking({ ...context, natsPrefix: NATS_PREFIX }),
    choosePorts(context, port, roleProcesses),
  ]);
  const url = publicUrl ?? `http://127.0.0.1:${ports.gateway.port}`;
  const settings = buildSettings({ backing, context, url }, ports);
  const serviceProcesses = [
    ...services.map(({ name }) => createServiceProcess(name, settings, context)),
    ...createRoleProcesses(settings, context),
  ];
  const gateway = createGatewayProcess(settings, context);
  const processes = [...serviceProcesses, gateway];
  const killAll = () => {
    for (const process of processes) process.killNow();
    backing.killAll();
  };
  try {
    const starting = Promise.all(serviceProcesses.map((process) => process.start()));
    starting.catch(() => undefined);
    await webBuild;
    await Promise.all([starting, gateway.start()]);
  } catch (error) {
    killAll();
    throw error;
  }
  return toSystem({ url, settings, backing, processes, killAll });
};

export const createRoleProcesses = (
  settings: Settings,
  context: BaseLauncherContext,
  podOptionsFor: (name: string) => PodOptions = () => ({}),
): ManagedProcess[] =>
  roleProcesses.map(({ name, service, env }) =>
    createServiceProcess(service, settings, context, {
      title: name,
      ...getPort(name, settings),
      ...podOptionsFor(name),
      env,
    }),
  );

const getPort = (name: string, { ports }: Settings): { port?: number } => {
  const port = ports.get(name);
  return port === undefined ? {} : { port };
};

interface RunningSystem {
  url: string;
  settings: Settings;
  backing: Backing;
  processes: ManagedProcess[];
  killAll(): void;
}

const toSystem = ({ url, settings, backing, processes, killAll }: RunningSystem): System => {
  const getProcess = (name: string): ManagedProcess => {
    const process =
      processes.find((candidate) => candidate.name === name) ??
      [...backing.servers.values()].find((server) => server.name === name)?.process;
    if (!process) throw new Error(`Unknown process ${name}`);
    return process;
  };
  return {
    url,
    mailboxUrl: backing.addresses.mailbox?.webUrl,
    backing,
    internalUrl: (name) =>
      `http://127.0.0.1:${name === 'gateway' ? settings.gateway.internalPort : settings.ports.get(name)}`,
    serviceUrl: (name) => `http://127.0.0.1:${settings.ports.get(name)}`,
    getProcess,
    kill: (name, signal = 'SIGKILL') => getProcess(name).kill(signal),
    stopService: (name) => getProcess(name).stop(),
    restart: async (name) => {
      await getProcess(name).stop();
      await getProcess(name).start();
    },
    stopBacking: (name) => getProcess(name).stop(),
    async startBacking(name) {
      await getProcess(name).start();
      await backing.provision(name);
    },
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
      await backing.stop();
    },
    killAll,
  };
};

interface TestSystemOptions {
  env?: Record<string, string>;
  listener?: ProcessListener;
  prepareDataDir?: (home: string) => void;
}

// External servers are shared, so tests can neither stop them nor rely on their being empty.
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

/**
 * Creates a context with private backing servers, free ports, temporary data, and a log that is kept after a failure.
 */
export const createTestContext = ({
  env = {},
  listener = openLogFile().listener,
  prepareDataDir,
}: TestSystemOptions = {}): BaseLauncherContext => {
  const created = ephemeralContext(listener, prepareDataDir);
  return { ...created, env: { ...withoutExternalServers(created.env), ...env } };
};

/** Starts Atrium in a test context, and closes the context when the system stops or fails to start. */
export const startTestSystemIn = async (context: BaseLauncherContext): Promise<System> => {
  try {
    const system = await launchSystem({ context });
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

export const startTestSystem = (options: TestSystemOptions = {}): Promise<System> =>
  startTestSystemIn(createTestContext(options));
