import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import type { ManagedProcess } from '@atrium/dev-server/process-manager/managed-process';
import { buildWeb } from '@atrium/dev-server/system/build-web';
import { createGatewayProcess, createServiceProcess, environmentOf } from '@atrium/dev-server/system/pods';
import { services } from '@atrium/dev-server/system/services';
import type { Settings } from '@atrium/dev-server/system/settings';
import { PREFIX, type System, settingsOf } from '@atrium/dev-server/system/start-system';
import { type Balancer, openBalancer } from './balancer.ts';
import type { WatchedContext } from './start-system.ts';

export type Pod = {
  name: string;
  url: string;
  part: ManagedProcess;
  countResponses(): Promise<number>;
  /** Stops it like a cluster does, and waits for its end. */
  stop(): Promise<void>;
};

type NewPod = {
  root?: string;
  title?: string;
  env?: NodeJS.ProcessEnv;
};

/** Backing servers, and a balancer for each service and the gateway; pods come and go. */
export type Cluster = Pick<System, 'backing'> & {
  url: string;
  pods(name: string): readonly Pod[];
  envOf(name: string): NodeJS.ProcessEnv;
  /** Waits until the process is ready. If it crashes it is restarted on the same port. */
  addPod(name: string, options?: NewPod): Promise<Pod>;
  stop(): Promise<void>;
};

export const EVERY_PROCESS: readonly string[] = [...services.map(({ name }) => name), 'gateway'];

/** Starts everything that pods depend on, but no pods. */
export async function startCluster({ box }: WatchedContext): Promise<Cluster> {
  const [backing] = await Promise.all([startBacking({ ...box, natsPrefix: PREFIX }), buildWeb(box)]);
  const balancers = new Map<string, Balancer>();
  for (const name of EVERY_PROCESS) balancers.set(name, await openBalancer(await box.ports.of(`balancer-${name}`)));
  const portOf = (name: string) => balancers.get(name)?.port ?? 0;
  const url = `http://127.0.0.1:${portOf('gateway')}`;
  const settings = settingsOf(
    { backing, context: box, url },
    {
      ports: new Map(services.map(({ name }) => [name, portOf(name)])),
      gateway: { port: portOf('gateway'), internalPort: 0 },
    },
  );
  const pods: Pod[] = [];
  let podCount = 0;
  return {
    url,
    backing,
    pods: (name) => pods.filter((pod) => pod.name === name),
    envOf: (name) => environmentOf(name, settings, box),
    async addPod(name, { root = CHECKOUT, title = name, env = {} } = {}) {
      podCount += 1;
      const started = await startPod({
        name,
        root,
        title: `${name} ${title} ${podCount}`,
        env,
        settings,
        box,
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
      await Promise.all(pods.map(({ part }) => part.stop()));
      await Promise.all([...balancers.values()].map((balancer) => balancer.close()));
      await backing.stop();
    },
  };
}

type PodParts = {
  name: string;
  root: string;
  title: string;
  env: NodeJS.ProcessEnv;
  settings: Settings;
  box: WatchedContext['box'];
  balancers: ReadonlyMap<string, Balancer>;
};

async function startPod({ name, root, title, env, settings, box, balancers }: PodParts): Promise<Pod> {
  const port = await box.ports.of(title);
  const internalPort = name === 'gateway' ? await box.ports.of(`${title} internal`) : port;
  const options = { title, root, env, port, internalPort };
  const part =
    name === 'gateway'
      ? createGatewayProcess(settings, box, options)
      : createServiceProcess(name, settings, box, options);
  await part.start();
  const probes = `http://127.0.0.1:${internalPort}`;
  const target = { port, readyUrl: `${probes}/readyz` };
  await balancers.get(name)?.add(target);
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    part,
    countResponses: async () => countResponses(await (await fetch(`${probes}/metrics`)).text()),
    async stop() {
      // Its balancer notices by the probe, while it still serves.
      await part.stop();
      balancers.get(name)?.remove(target);
    },
  };
}

function countResponses(metrics: string): number {
  const counts = [...metrics.matchAll(/^http_request_duration_seconds_count\{([^}\n]*)\} (\d+)/gm)];
  return counts.reduce((sum, [, labels, count]) => sum + (labels?.includes('route="probe"') ? 0 : Number(count)), 0);
}
