import { parseArgs } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { services } from '@atrium/dev-server/system/services';
import { type Deployment, patchBackTo, patchFromSources } from './dev-loop/from-sources.ts';
import { withOnePodEach } from './dev-loop/one-pod-each.ts';
import { saveFiles } from './dev-loop/save-files.ts';
import { openKubectl } from './kubectl.ts';

const HELP = `npm run test:hot-reload -- [options]

Does by hand what skaffold dev does with a saved file, on the cluster that KUBECONFIG names, where the overlay dev runs: builds one
service from its sources, puts it into the place of its image as deploy/skaffold/dev has it, copies a changed file into its pod, and sees that
this process alone starts again, with that file. Then one that cannot be compiled, and one that mends it. Autoscalers stand still
meanwhile. What was there before comes back at the end.

  --service <name>      users unless told
  --namespace <name>    atrium-dev unless told
  --load <command>      brings images into the cluster: it is called with their names
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
const given = (['node-image', 'build-image', 'network'] as const).flatMap((name) => {
  const value = values[name];
  return value ? [`--${name}`, value] : [];
});
const build = ['deploy/images/build.ts', service, '--target', 'dev', '--tag', 'dev', ...given];
await execute(process.execPath, ['--disable-warning=ExperimentalWarning', ...build], { cwd: CHECKOUT });
if (values.load) await execute('sh', ['-c', `${values.load} ${image}`]);

const deployment = `deployment/${service}`;
const patch = (type: 'strategic' | 'json', content: object) =>
  kubectl.run('patch', deployment, '--type', type, '--patch', JSON.stringify(content));
const rolled = () => kubectl.run('rollout', 'status', deployment, '--timeout=180s');
await withOnePodEach(kubectl, async () => {
  const before = await kubectl.get<Deployment>(deployment);
  try {
    await patch('strategic', patchFromSources(image));
    await rolled();
    await saveFiles(kubectl, service, print);
  } finally {
    await patch('json', patchBackTo(before));
    await rolled();
  }
});
