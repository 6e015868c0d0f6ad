import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import type { LauncherContext } from '../backing/server.ts';
import { ManagedProcess } from '../process-manager/managed-process.ts';
import { services } from './services.ts';
import { gatewayEnvironment, type Settings, serviceEnvironment } from './settings.ts';

type BaseLauncherContext = Omit<LauncherContext, 'address'>;

export interface PodOptions {
  title?: string;
  root?: string;
  port?: number;
  internalPort?: number;
  nodeArgs?: string[];
  env?: NodeJS.ProcessEnv;
}

interface Program {
  main: string;
  nodeArgs: string[];
  env: NodeJS.ProcessEnv;
  readyUrl: string;
}

export const createReadinessCheck = (url: string) => async (): Promise<void> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_500) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} responds with status ${response.status}`);
};

const createProcess = (
  title: string,
  root: string,
  { main, nodeArgs, env, readyUrl }: Program,
  context: BaseLauncherContext,
): ManagedProcess =>
  new ManagedProcess(
    {
      name: title,
      file: process.execPath,
      args: [...nodeArgs, '--disable-warning=ExperimentalWarning', join(root, main)],
      cwd: root,
      env,
      checkReady: createReadinessCheck(readyUrl),
      readyTimeoutMs: 120_000,
    },
    context,
  );

export const buildEnvironment = (name: string, settings: Settings, context: BaseLauncherContext): NodeJS.ProcessEnv => {
  if (name === 'gateway') return gatewayEnvironment(settings, context);
  const row = services.find((service) => service.name === name);
  if (!row) throw new Error(`Unknown service ${name}`);
  return serviceEnvironment(row, settings, context);
};

export const createServiceProcess = (
  name: string,
  settings: Settings,
  context: BaseLauncherContext,
  { title = name, root = CHECKOUT, port = settings.ports.get(name), nodeArgs = [], env: extraEnv }: PodOptions = {},
): ManagedProcess => {
  const env = { ...buildEnvironment(name, settings, context), ...extraEnv, PORT: String(port) };
  const readyUrl = `http://127.0.0.1:${port}/readyz`;
  return createProcess(title, root, { main: `services/${name}/src/main.ts`, nodeArgs, env, readyUrl }, context);
};

export const createGatewayProcess = (
  settings: Settings,
  context: BaseLauncherContext,
  pod: PodOptions = {},
): ManagedProcess => {
  const { title = 'gateway', root = CHECKOUT, nodeArgs = [] } = pod;
  const { port = settings.gateway.port, internalPort = settings.gateway.internalPort } = pod;
  const ports = { PORT: String(port), INTERNAL_PORT: String(internalPort) };
  const env = { ...gatewayEnvironment(settings, context), ...pod.env, ...ports };
  const readyUrl = `http://127.0.0.1:${internalPort}/readyz`;
  return createProcess(title, root, { main: 'gateway/src/main.ts', nodeArgs, env, readyUrl }, context);
};
