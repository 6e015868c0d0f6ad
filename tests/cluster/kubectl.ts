import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export type Pod = {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { containers: { name: string; image: string }[] };
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { restartCount: number; state: Record<string, { startedAt?: string }> }[];
  };
};

/** The cluster that KUBECONFIG names, seen from one namespace. */
export type Kubectl = {
  namespace: string;
  run(...args: string[]): Promise<string>;
  /** The answer of `get … -o json`. */
  get<T>(...args: string[]): Promise<T>;
  apply(manifest: string, ...args: string[]): Promise<string>;
  pods(name?: string): Promise<Pod[]>;
  deployments(): Promise<string[]>;
};

export function openKubectl(namespace: string): Kubectl {
  const run = async (...args: string[]) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await execute('kubectl', ['--namespace', namespace, ...args], options);
    return stdout;
  };
  const get = async <T>(...args: string[]): Promise<T> => JSON.parse(await run('get', ...args, '-o', 'json'));
  return {
    namespace,
    run,
    get,
    apply: (manifest, ...args) => feed(['--namespace', namespace, 'apply', '-f', '-', ...args], manifest),
    async pods(name) {
      const selector = ['app.kubernetes.io/part-of=atrium', ...(name ? [`app.kubernetes.io/name=${name}`] : [])].join(
        ',',
      );
      const { items } = await get<{ items: Pod[] }>('pods', '--selector', selector);
      return items.filter(({ status }) => status.phase !== 'Succeeded');
    },
    async deployments() {
      const { items } = await get<{ items: { metadata: { name: string } }[] }>('deployments');
      return items.map(({ metadata }) => metadata.name).sort((one, other) => rank(one) - rank(other));
    },
  };
}

/** The gateway comes last: it brings the web app, and a form of the new one may have a field that services of before ignore. */
const rank = (name: string): number => (name === 'gateway' ? 1 : 0);

async function feed(args: string[], input: string): Promise<string> {
  const child = spawn('kubectl', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${complaint.trim()}`);
  return `${out}${complaint}`;
}

export const isReady = ({ status, metadata }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');
