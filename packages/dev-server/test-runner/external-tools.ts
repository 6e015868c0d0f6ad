import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { goBuild } from '../backing/providers/go-build.ts';
import { fromImage, inContainer } from '../backing/providers/in-container.ts';
import { checkVersion, findOnPath } from '../backing/providers/on-path.ts';
import { getErrorMessage, run } from '../backing/run.ts';
import { type LauncherContext, PROVIDER_LABELS, type Program, type ServerProvider } from '../backing/server.ts';
import { execute } from '../process-manager/execute.ts';

export const findTool = async (
  name: string,
  providers: readonly ServerProvider[],
  context: LauncherContext,
): Promise<Program> => {
  const unavailable: string[] = [];
  for (const provider of providers) {
    const program = await provider(context);
    if ('file' in program) return program;
    unavailable.push(`  - ${PROVIDER_LABELS[program.provider]}: ${program.reason}`);
  }
  throw new Error(
    `${name} is not available on this machine. Provide it in one of these ways:\n${unavailable.join('\n')}`,
  );
};

/** The first versions in which components see the resources that an overlay generates. */
const MIN_VERSIONS = { kustomize: '5.1', kubectl: '1.31' };
const KUSTOMIZE_IMAGE = 'registry.k8s.io/kustomize/kustomize:v5.7.1';

const kustomizeOnPath: ServerProvider = async ({ env }) => {
  const provider = 'path';
  const file = findOnPath('kustomize', env.PATH);
  if (!file) return { provider, reason: 'kustomize was not found' };
  const checked = await checkVersion(file, 'version', MIN_VERSIONS.kustomize);
  return 'reason' in checked ? checked : { provider, file, version: checked.version };
};

const kubectlOnPath: ServerProvider = async ({ env }) => {
  const provider = 'path';
  const file = findOnPath('kubectl', env.PATH);
  if (!file) return { provider, reason: 'kubectl was not found' };
  try {
    const version = await run(file, ['version', '--client']);
    const [, major = '', minor = ''] = /(\d{1,9})\.(\d{1,9})/.exec(version) ?? [];
    if (Number(major) !== 1 || Number(minor) < Number(MIN_VERSIONS.kubectl.split('.')[1]))
      return {
        provider,
        reason: `${file} is version ${major}.${minor}; version ${MIN_VERSIONS.kubectl} or later is required`,
      };
    return { provider, file, version: `${major}.${minor}` };
  } catch (error) {
    return { provider, reason: getErrorMessage(error) };
  }
};

const kustomizeProviders: readonly ServerProvider[] = [
  kustomizeOnPath,
  kubectlOnPath,
  goBuild({
    server: 'kustomize',
    folder: 'kustomize',
    module: 'sigs.k8s.io/kustomize/kustomize/v5',
    target: 'sigs.k8s.io/kustomize/kustomize/v5',
  }),
  fromImage('kustomize', KUSTOMIZE_IMAGE),
];

export const findKustomize = (context: LauncherContext): Promise<Program> =>
  findTool('kustomize', kustomizeProviders, context);

export const runKustomize = ({ file, image }: Program, folder: string): Promise<string> => {
  const mountPath = '/atrium';
  const mounts = ['deploy', 'tests/deploy'].flatMap((path) => ['-v', `${CHECKOUT}${path}:${mountPath}/${path}:ro`]);
  const args = image
    ? ['run', '--rm', ...mounts, image, 'build', `${mountPath}/${folder}`]
    : [file.endsWith('kubectl') ? 'kustomize' : 'build', join(CHECKOUT, folder)];
  return execute(file, args);
};

/** Builds MinIO's client. The PATH is not searched, because a different program is also called `mc`. */
export const minioClient = goBuild({
  server: 'objects',
  folder: 'mc',
  module: 'github.com/minio/mc',
  target: 'github.com/minio/mc',
});

export const findMinioClient = (context: LauncherContext): Promise<Program> =>
  findTool('mc', [minioClient, inContainer('objects')], context);
