import { containersOf, type KubeObject, workloadsOf } from '../manifest.ts';
import type { Endpoint } from './policies.ts';

const NAME = 'kubernetes.io/metadata.name';
const tcp = (port: number, name = '') => ({ name, port, protocol: 'TCP' });
/** A port that no policy mentions, so it must be unreachable. */
const ANOTHER = tcp(9_999);

const dns = [tcp(53), { ...tcp(53), protocol: 'UDP' }, ANOTHER];

const elsewhere = (
  name: string,
  namespace: string,
  more: Partial<Endpoint> = {},
  labels: Record<string, string> = {},
): Endpoint => ({
  name,
  namespace: { name: namespace, labels: { [NAME]: namespace, ...labels } },
  labels: {},
  address: '10.244.9.9',
  ports: [tcp(443)],
  ...more,
});

/** The surroundings of a deployment: other workloads of the cluster, external stores, and the internet. */
const SURROUNDINGS: readonly Endpoint[] = [
  elsewhere('names', 'kube-system', {
    labels: { 'k8s-app': 'kube-dns' },
    ports: dns,
  }),
  elsewhere('api-server', 'kube-system'),
  elsewhere('ingress', 'ingress-nginx', {}, { 'atrium/ingress': 'true' }),
  elsewhere('monitoring', 'monitoring', { ports: [tcp(443), tcp(4_318)] }),
  elsewhere('stranger', 'default', { labels: { 'postgres-client': 'true' } }),
  {
    name: 'stores',
    namespace: undefined,
    labels: {},
    address: '192.0.2.7',
    ports: [5432, 27017, 6379, 4222, 443, 587, 22].map((port) => tcp(port)),
  },
  // Link-local addresses of each node: DNS caches, and a cloud metadata service, which must be unreachable.
  { name: 'names-on-node', namespace: undefined, labels: {}, address: '169.254.20.10', ports: dns },
  { name: 'names-by-kubespray', namespace: undefined, labels: {}, address: '169.254.25.10', ports: dns },
  { name: 'cloud-keys', namespace: undefined, labels: {}, address: '169.254.169.254', ports: [tcp(80), ...dns] },
  { name: 'internet', namespace: undefined, labels: {}, address: '203.0.113.9', ports: [tcp(443), tcp(80), tcp(25)] },
];

/** A pod of each kind, and everything that could connect to it or be connected to. */
export function endpointsOf(objects: readonly KubeObject[]): Endpoint[] {
  const namespace = objects.find(({ kind }) => kind === 'Namespace')?.metadata;
  if (!namespace) throw new Error('The overlay has no namespace');
  const home = { name: namespace.name, labels: { ...namespace.labels, [NAME]: namespace.name } };
  const pods = workloadsOf(objects).map((workload) => ({
    name: workload.pod.metadata.labels['app.kubernetes.io/name'] ?? workload.name,
    namespace: home,
    labels: workload.pod.metadata.labels,
    address: '10.244.0.9',
    ports: [
      ...containersOf(workload).flatMap((one) =>
        one.ports.map(({ name, containerPort, protocol }) => ({ name, port: containerPort, protocol })),
      ),
      ANOTHER,
    ],
  }));
  // A pod that cert-manager starts in the namespace to solve a challenge.
  const solver: Endpoint = {
    name: 'solver',
    namespace: home,
    labels: { 'acme.cert-manager.io/http01-solver': 'true' },
    address: '10.244.0.8',
    ports: [tcp(8_089), ANOTHER],
  };
  return [...pods, solver, ...SURROUNDINGS];
}
