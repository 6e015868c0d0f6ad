import { parseArgs } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { services } from '@atrium/dev-server/system/services';
import { createRestorePatch, type Deployment, patchFromSources } from './dev-loop/from-sources.ts';
import { withOnePodEach } from './dev-loop/one-pod-each.ts';
import { saveFiles } from './dev-loop/save-files.ts';
import { openKubectl } from './kubectl.ts';

const HELP = `npm run test:hot-reload -- [options]

Tests the file sync of skaffold dev on the cluster in KUBECONFIG, in which the overlay dev is deployed. It builds one
service from its sources, replaces its image as deploy/skaffold/dev does, copies a changed file into its pod, and
checks that only this process restarts with the new file. Then it copies a file with a syntax error, and its fix.
Meanwhile, autoscalers are limited to one pod. At the end, the Deployment is restored.

  --service <name>      default users
  --namespace <name>    default atrium-dev
  --load <command>      loads images into the cluster; called with their names
  --node-image <name>, --build-image <name>, --network <name>     as for npm run build:images
`;

const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    service: { type: 'string', default: 'users' },
    namespace: { type: 'string', default: 'atrium-dev' },
    load: { type: 'string' },
    'node-image': { type: 'string' },
    'build-image': { type: 'string' },
    network: { type: 'string' },
  },
});
if (values.help || !services.some(({ name }) => name === values.service)) {
  print(HELP);
  process.exit(values.help ? 0 : 64);
}
const { service } = values;
const kubectl = openKubectl(values.namespace);
const image = `atrium/${service}:dev`;
const buildOptions = (['node-image', 'build-image', 'network'] as const).flatMap((name) => {
  const value = values[name];
  return value ? [`--${name}`, value] : [];
});
const build = ['deploy/images/build.ts', service, '--target', 'dev', '--tag', 'dev', ...buildOptions];
await execute(process.execPath, ['--disable-warning=ExperimentalWarning', ...build], { cwd: CHECKOUT });
if (values.load) await execute('sh', ['-c', `${values.load} ${image}`]);

const deployment = `deployment/${service}`;
const patch = (type: 'strategic' | 'json', content: object) =>
  kubectl.run('patch', deployment, '--type', type, '--patch', JSON.stringify(content));
const waitForRollout = () => kubectl.run('rollout', 'status', deployment, '--timeout=180s');
await withOnePodEach(kubectl, async () => {
  const before = await kubectl.get<Deployment>(deployment);
  try {
    await patch('strategic', patchFromSources(image));
    await waitForRollout();
    await saveFiles(kubectl, service, print);
  } finally {
    await patch('json', createRestorePatch(before));
    await waitForRollout();
  }
});
