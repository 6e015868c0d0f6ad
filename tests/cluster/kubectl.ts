import { execute } from '@atrium/dev-server/process-manager/execute';

export type Pod = {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { nodeName?: string; containers: { name: string; image: string }[] };
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { restartCount: number; state: Record<string, { startedAt?: string }> }[];
  };
};

/** kubectl for one namespace of the cluster in KUBECONFIG. */
export type Kubectl = {
  namespace: string;
  run(...args: string[]): Promise<string>;
  /** The parsed output of `get … -o json`. */
  get<T>(...args: string[]): Promise<T>;
  apply(manifest: string, ...args: string[]): Promise<string>;
  pods(name?: string): Promise<Pod[]>;
  deployments(): Promise<string[]>;
};

export function openKubectl(namespace: string): Kubectl {
  const run = (...args: string[]) => execute('kubectl', ['--namespace', namespace, ...args]);
  const get = async <T>(...args: string[]): Promise<T> => JSON.parse(await run('get', ...args, '-o', 'json'));
  return {
    namespace,
    run,
    get,
    apply: (manifest, ...args) =>
      execute('kubectl', ['--namespace', namespace, 'apply', '-f', '-', ...args], { input: manifest }),
    async pods(name) {
      const selector = ['app.kubernetes.io/part-of=atrium', ...(name ? [`app.kubernetes.io/name=${name}`] : [])].join(
        ',',
      );
      const { items } = await get<{ items: Pod[] }>('pods', '--selector', selector);
      return items.filter(({ status }) => status.phase !== 'Succeeded');
    },
    async deployments() {
      const { items } = await get<{ items: { metadata: { name: string } }[] }>('deployments');
      return items.map(({ metadata }) => metadata.name).sort((a, b) => rank(a) - rank(b));
    },
  };
}

/** The gateway comes last: the new web app may use fields that old services ignore. */
const rank = (name: string): number => (name === 'gateway' ? 1 : 0);

export const isReady = ({ status, metadata }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
