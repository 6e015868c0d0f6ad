import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { goBuild } from '../backing/providers/go-build.ts';
import { containerOf, inContainer } from '../backing/providers/in-container.ts';
import { checkVersion, findOnPath } from '../backing/providers/on-path.ts';
import { messageOf, run } from '../backing/run.ts';
import type { LauncherContext, Program, ServerProvider } from '../backing/server.ts';
import { execute } from '../process-manager/execute.ts';

export const findTool = async (
  name: string,
  providers: readonly ServerProvider[],
  context: LauncherContext,
): Promise<Program> => {
  const unavailable: string[] = [];
  for (const provider of providers) {
    const found = await provider(context);
    if ('file' in found) return found;
    unavailable.push(`  - ${found.provider}: ${found.reason}`);
  }
  throw new Error(
    `${name} is not available on this machine. Provide it in one of these ways:\n${unavailable.join('\n')}`,
  );
};

/** From these versions on, components see the resources that an overlay generates. */
const MIN_VERSIONS = { kustomize: '5.1', kubectl: '1.31' };
const IMAGE = 'registry.k8s.io/kustomize/kustomize:v5.7.1';

const kustomizeOnPath: ServerProvider = async ({ env }) => {
  const provider = 'on the PATH';
  const file = findOnPath('kustomize', env.PATH);
  if (!file) return { provider, reason: 'kustomize was not found' };
  const checked = await checkVersion(file, 'version', MIN_VERSIONS.kustomize);
  return 'reason' in checked ? checked : { provider, file, version: checked.version };
};

const kubectlOnPath: ServerProvider = async ({ env }) => {
  const provider = 'on the PATH';
  const file = findOnPath('kubectl', env.PATH);
  if (!file) return { provider, reason: 'kubectl was not found' };
  try {
    const version = await run(file, ['version', '--client']);
    const [, major = '', minor = ''] = /(\d{1,9})\.(\d{1,9})/.exec(version) ?? [];
    if (Number(major) !== 1 || Number(minor) < Number(MIN_VERSIONS.kubectl.split('.')[1]))
      return {
        provider,
        reason: `${file} is version ${major}.${minor}, at least ${MIN_VERSIONS.kubectl} is needed`,
      };
    return { provider, file, version: `${major}.${minor}` };
  } catch (error) {
    return { provider, reason: messageOf(error) };
  }
};

const providers: readonly ServerProvider[] = [
  kustomizeOnPath,
  kubectlOnPath,
  goBuild({
    server: 'kustomize',
    folder: 'kustomize',
    module: 'sigs.k8s.io/kustomize/kustomize/v5',
    target: 'sigs.k8s.io/kustomize/kustomize/v5',
  }),
  containerOf('kustomize', IMAGE),
];

export const findKustomize = (context: LauncherContext): Promise<Program> => findTool('kustomize', providers, context);

export const render = ({ file, image }: Program, folder: string): Promise<string> => {
  const inside = '/atrium';
  const mounts = ['deploy', 'tests/deploy'].flatMap((part) => ['-v', `${CHECKOUT}${part}:${inside}/${part}:ro`]);
  const args = image
    ? ['run', '--rm', ...mounts, image, 'build', `${inside}/${folder}`]
    : [file.endsWith('kubectl') ? 'kustomize' : 'build', join(CHECKOUT, folder)];
  return execute(file, args);
};

/** The PATH is not searched, because another program is also called `mc`. */
export const minioClient = goBuild({
  server: 'objects',
  folder: 'mc',
  module: 'github.com/minio/mc',
  target: 'github.com/minio/mc',
});

export const findMinioClient = (context: LauncherContext): Promise<Program> =>
  findTool('mc', [minioClient, inContainer('objects')], context);
