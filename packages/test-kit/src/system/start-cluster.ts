import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import type { ManagedProcess } from '@atrium/dev-server/process-manager/managed-process';
import { buildWeb } from '@atrium/dev-server/system/build-web';
import { buildEnvironment, createGatewayProcess, createServiceProcess } from '@atrium/dev-server/system/pods';
import { services } from '@atrium/dev-server/system/services';
import type { Settings } from '@atrium/dev-server/system/settings';
import { buildSettings, NATS_PREFIX, type System } from '@atrium/dev-server/system/start-system';
import { type Balancer, openBalancer } from './balancer.ts';
import type { WatchedContext } from './start-system.ts';

export type Pod = {
  name: string;
  url: string;
  process: ManagedProcess;
  countResponses(): Promise<number>;
  /** Stops the process like a cluster does, and waits for its exit. */
  stop(): Promise<void>;
};

type AddPodOptions = {
  root?: string;
  title?: string;
  env?: NodeJS.ProcessEnv;
};

/** Backing servers, and a load balancer for each service and the gateway. Pods can be added and stopped. */
export type Cluster = Pick<System, 'backing'> & {
  url: string;
  pods(name: string): readonly Pod[];
  envOf(name: string): NodeJS.ProcessEnv;
  /** Starts a pod and waits until it is ready. If its process crashes, it is restarted on the same port. */
  addPod(name: string, options?: AddPodOptions): Promise<Pod>;
  stop(): Promise<void>;
};

export const PROCESS_NAMES: readonly string[] = [...services.map(({ name }) => name), 'gateway'];

/** Starts everything that pods depend on, but no pod. */
export async function startCluster({ context }: WatchedContext): Promise<Cluster> {
  const [backing] = await Promise.all([startBacking({ ...context, natsPrefix: NATS_PREFIX }), buildWeb(context)]);
  const balancers = new Map<string, Balancer>();
  for (const name of PROCESS_NAMES)
    balancers.set(name, await openBalancer(await context.ports.reserve(`balancer-${name}`)));
  const getBalancerPort = (name: string) => balancers.get(name)?.port ?? 0;
  const url = `http://127.0.0.1:${getBalancerPort('gateway')}`;
  const settings = buildSettings(
    { backing, context, url },
    {
      ports: new Map(services.map(({ name }) => [name, getBalancerPort(name)])),
      gateway: { port: getBalancerPort('gateway'), internalPort: 0 },
    },
  );
  const pods: Pod[] = [];
  let podCount = 0;
  return {
    url,
    backing,
    pods: (name) => pods.filter((pod) => pod.name === name),
    envOf: (name) => buildEnvironment(name, settings, context),
    async addPod(name, { root = CHECKOUT, title = name, env = {} } = {}) {
      podCount += 1;
      const started = await startPod({
        name,
        root,
        title: `${name} ${title} ${podCount}`,
        env,
        settings,
        context,
        balancers,
      });
      const pod: Pod = {
        ...started,
        async stop() {
          pods.splice(pods.indexOf(pod), 1);
          await started.stop();
        },
      };
      pods.push(pod);
      return pod;
    },
    async stop() {
      await Promise.all(pods.map((pod) => pod.process.stop()));
      await Promise.all([...balancers.values()].map((balancer) => balancer.close()));
      await backing.stop();
    },
  };
}

type StartPodParams = {
  name: string;
  root: string;
  title: string;
  env: NodeJS.ProcessEnv;
  settings: Settings;
  context: WatchedContext['context'];
  balancers: ReadonlyMap<string, Balancer>;
};

async function startPod({ name, root, title, env, settings, context, balancers }: StartPodParams): Promise<Pod> {
  const port = await context.ports.reserve(title);
  const internalPort = name === 'gateway' ? await context.ports.reserve(`${title} internal`) : port;
  const options = { title, root, env, port, internalPort };
  const managedProcess =
    name === 'gateway'
      ? createGatewayProcess(settings, context, options)
      : createServiceProcess(name, settings, context, options);
  await managedProcess.start();
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  const target = { port, readyUrl: `${internalUrl}/readyz` };
  await balancers.get(name)?.add(target);
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    process: managedProcess,
    countResponses: async () => countResponses(await (await fetch(`${internalUrl}/metrics`)).text()),
    async stop() {
      // The balancer learns of the stop from the readiness probe, while the process still serves requests.
      await managedProcess.stop();
      balancers.get(name)?.remove(target);
    },
  };
}

function countResponses(metrics: string): number {
  const counts = [...metrics.matchAll(/^http_request_duration_seconds_count\{([^}\n]*)\} (\d+)/gm)];
  return counts.reduce((sum, [, labels, count]) => sum + (labels?.includes('route="probe"') ? 0 : Number(count)), 0);
}
