import { containersOf, type KubeObject, workloadsOf } from '../manifest.ts';
import type { Endpoint } from './policies.ts';

const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';
const tcp = (port: number, name = '') => ({ name, port, protocol: 'TCP' });
/** A port that no policy mentions, so it must be unreachable. */
const UNLISTED_PORT = tcp(9_999);

const dnsPorts = [tcp(53), { ...tcp(53), protocol: 'UDP' }, UNLISTED_PORT];

const workloadIn = (
  name: string,
  namespace: string,
  overrides: Partial<Endpoint> = {},
  labels: Record<string, string> = {},
): Endpoint => ({
  name,
  namespace: { name: namespace, labels: { [NAMESPACE_NAME_LABEL]: namespace, ...labels } },
  labels: {},
  address: '10.244.9.9',
  ports: [tcp(443)],
  ...overrides,
});

/** The surroundings of a deployment: other workloads of the cluster, external stores, and the internet. */
const SURROUNDINGS: readonly Endpoint[] = [
  workloadIn('dns', 'kube-system', {
    labels: { 'k8s-app': 'kube-dns' },
    ports: dnsPorts,
  }),
  workloadIn('api-server', 'kube-system'),
  workloadIn('ingress', 'ingress-nginx', {}, { 'atrium/ingress': 'true' }),
  workloadIn('monitoring', 'monitoring', { ports: [tcp(443), tcp(4_318)] }),
  workloadIn('unrelated-pod', 'default', { labels: { 'postgres-client': 'true' } }),
  {
    name: 'external-stores',
    namespace: undefined,
    labels: {},
    address: '192.0.2.7',
    ports: [5432, 27017, 6379, 4222, 443, 587, 22].map((port) => tcp(port)),
  },
  // Link-local addresses of each node: DNS caches, and a cloud metadata service, which must be unreachable.
  { name: 'node-local-dns', namespace: undefined, labels: {}, address: '169.254.20.10', ports: dnsPorts },
  { name: 'kubespray-dns', namespace: undefined, labels: {}, address: '169.254.25.10', ports: dnsPorts },
  {
    name: 'cloud-metadata',
    namespace: undefined,
    labels: {},
    address: '169.254.169.254',
    ports: [tcp(80), ...dnsPorts],
  },
  { name: 'internet', namespace: undefined, labels: {}, address: '203.0.113.9', ports: [tcp(443), tcp(80), tcp(25)] },
];

/** Lists a pod of each kind, and every endpoint that could connect to it or that it could connect to. */
export function endpointsOf(objects: readonly KubeObject[]): Endpoint[] {
  const namespace = objects.find(({ kind }) => kind === 'Namespace')?.metadata;
  if (!namespace) throw new Error('The overlay has no namespace');
  const ownNamespace = {
    name: namespace.name,
    labels: { ...namespace.labels, [NAMESPACE_NAME_LABEL]: namespace.name },
  };
  const pods = workloadsOf(objects).map((workload) => ({
    name: workload.pod.metadata.labels['app.kubernetes.io/name'] ?? workload.name,
    namespace: ownNamespace,
    labels: workload.pod.metadata.labels,
    address: '10.244.0.9',
    ports: [
      ...containersOf(workload).flatMap((container) =>
        container.ports.map(({ name, containerPort, protocol }) => ({ name, port: containerPort, protocol })),
      ),
      UNLISTED_PORT,
    ],
  }));
  // A pod that cert-manager starts in the namespace to solve a challenge.
  const solver: Endpoint = {
    name: 'solver',
    namespace: ownNamespace,
    labels: { 'acme.cert-manager.io/http01-solver': 'true' },
    address: '10.244.0.8',
    ports: [tcp(8_089), UNLISTED_PORT],
  };
  return [...pods, solver, ...SURROUNDINGS];
}
