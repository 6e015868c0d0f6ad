import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import type { LauncherContext } from '../backing/server.ts';
import { ManagedProcess } from '../process-manager/managed-process.ts';
import { services } from './services.ts';
import { gatewayEnvironment, type Settings, serviceEnvironment } from './settings.ts';

type BaseLauncherContext = Omit<LauncherContext, 'address'>;

/** Which of several pods of one service it is. */
export interface PodOptions {
  /** What the log calls it; the name of its service unless told. */
  title?: string;
  /** The checkout whose code it runs; this one unless told. */
  root?: string;
  /** Where it listens; where everybody looks for its service, unless told. */
  port?: number;
  /** Where a gateway answers probes. */
  internalPort?: number;
  /** What Node is told besides. */
  nodeArgs?: string[];
  /** What it is told otherwise than every pod of its service. */
  env?: NodeJS.ProcessEnv;
}

interface Program {
  main: string;
  nodeArgs: string[];
  env: NodeJS.ProcessEnv;
  readyUrl: string;
}

/** Asks whether there is a good answer at that address. */
export const answersAt = (url: string) => async (): Promise<void> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_500) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
};

const processOf = (
  title: string,
  root: string,
  { main, nodeArgs, env, readyUrl }: Program,
  box: BaseLauncherContext,
): ManagedProcess =>
  new ManagedProcess(
    {
      name: title,
      file: process.execPath,
      args: [...nodeArgs, '--disable-warning=ExperimentalWarning', join(root, main)],
      cwd: root,
      env,
      answers: answersAt(readyUrl),
      answersWithinMs: 120_000,
    },
    box,
  );

/** What every pod of a service, or of the gateway, is told. */
export const environmentOf = (name: string, settings: Settings, box: BaseLauncherContext): NodeJS.ProcessEnv => {
  if (name === 'gateway') return gatewayEnvironment(settings, box);
  const row = services.find((service) => service.name === name);
  if (!row) throw new Error(`There is no service ${name}`);
  return serviceEnvironment(row, settings, box);
};

/** A process of a service, not started yet. */
export const servicePart = (
  name: string,
  settings: Settings,
  box: BaseLauncherContext,
  { title = name, root = CHECKOUT, port = settings.ports.get(name), nodeArgs = [], env: more }: PodOptions = {},
): ManagedProcess => {
  const env = { ...environmentOf(name, settings, box), ...more, PORT: String(port) };
  const readyUrl = `http://127.0.0.1:${port}/readyz`;
  return processOf(title, root, { main: `services/${name}/src/main.ts`, nodeArgs, env, readyUrl }, box);
};

/** A process of the gateway, not started yet. */
export const gatewayPart = (settings: Settings, box: BaseLauncherContext, pod: PodOptions = {}): ManagedProcess => {
  const { title = 'gateway', root = CHECKOUT, nodeArgs = [] } = pod;
  const { port = settings.gateway.port, internalPort = settings.gateway.internalPort } = pod;
  const ports = { PORT: String(port), INTERNAL_PORT: String(internalPort) };
  const env = { ...gatewayEnvironment(settings, box), ...pod.env, ...ports };
  const readyUrl = `http://127.0.0.1:${internalPort}/readyz`;
  return processOf(title, root, { main: 'gateway/src/main.ts', nodeArgs, env, readyUrl }, box);
};
