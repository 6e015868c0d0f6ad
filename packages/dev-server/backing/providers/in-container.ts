import { messageOf, run } from '../run.ts';
import type { ServerName, ServerProvider } from '../server.ts';
import { findOnPath } from './on-path.ts';

const provider = 'in a container';
const PULL_MS = 300_000;

let engine: Promise<string | undefined> | undefined;

const askEngine = async (): Promise<string | undefined> => {
  const docker = findOnPath('docker');
  if (!docker) return undefined;
  return run(docker, ['version', '--format', '{{.Server.Version}}'], { timeoutMs: 5_000 }).then(
    () => docker,
    () => undefined,
  );
};

export const dockerClient = (): Promise<string | undefined> => {
  engine ??= askEngine();
  return engine;
};

const has = (docker: string, image: string): Promise<boolean> =>
  run(docker, ['image', 'inspect', image]).then(
    () => true,
    () => false,
  );

/** The image that `deploy/compose.yaml` pins, if a Docker engine has it or can pull it. */
export const inContainer =
  (name: ServerName): ServerProvider =>
  async (context) => {
    const { imageOf } = await import('../images.ts');
    return containerOf(name, imageOf(name))(context);
  };

export const containerOf =
  (name: string, image: string): ServerProvider =>
  async ({ listener }) => {
    const docker = await dockerClient();
    if (!docker) return { provider, reason: 'no Docker engine responds' };
    try {
      if (!(await has(docker, image))) {
        listener.say(name, `pulling ${image}`);
        await run(docker, ['pull', '--quiet', image], { timeoutMs: PULL_MS });
      }
      return { provider, file: docker, image, version: image.slice(image.lastIndexOf(':') + 1) };
    } catch (error) {
      return { provider, reason: `failed to pull ${image}: ${messageOf(error).split('\n').at(-1) ?? ''}` };
    }
  };
