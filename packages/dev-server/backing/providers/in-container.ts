import { getErrorMessage, run } from '../run.ts';
import type { ServerName, ServerProvider } from '../server.ts';
import { findOnPath } from './on-path.ts';

const provider = 'container';
const PULL_TIMEOUT_MS = 300_000;

let enginePromise: Promise<string | undefined> | undefined;

const findEngine = async (): Promise<string | undefined> => {
  const docker = findOnPath('docker');
  if (!docker) return undefined;
  return run(docker, ['version', '--format', '{{.Server.Version}}'], { timeoutMs: 5_000 }).then(
    () => docker,
    () => undefined,
  );
};

export const findDocker = (): Promise<string | undefined> => {
  enginePromise ??= findEngine();
  return enginePromise;
};

const hasImage = (docker: string, image: string): Promise<boolean> =>
  run(docker, ['image', 'inspect', image]).then(
    () => true,
    () => false,
  );

/** Provides the image that `deploy/compose.yaml` pins, if a Docker engine has it or can pull it. */
export const inContainer =
  (name: ServerName): ServerProvider =>
  async (context) => {
    const { readImage } = await import('../images.ts');
    return fromImage(name, readImage(name))(context);
  };

export const fromImage =
  (name: string, image: string): ServerProvider =>
  async ({ listener }) => {
    const docker = await findDocker();
    if (!docker) return { provider, reason: 'no Docker engine responds' };
    try {
      if (!(await hasImage(docker, image))) {
        listener.log(name, `pulling ${image}`);
        await run(docker, ['pull', '--quiet', image], { timeoutMs: PULL_TIMEOUT_MS });
      }
      return { provider, file: docker, image, version: image.slice(image.lastIndexOf(':') + 1) };
    } catch (error) {
      return { provider, reason: `failed to pull ${image}: ${getErrorMessage(error).split('\n').at(-1) ?? ''}` };
    }
  };
