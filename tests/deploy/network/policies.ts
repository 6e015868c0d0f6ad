import { BlockList, isIPv6 } from 'node:net';
import { z } from 'zod';
import { type KubeObject, matches } from '../manifest.ts';

// Strict, so that an unsupported field, which could open or close paths, is rejected.
const labels = z.strictObject({
  matchLabels: z.record(z.string(), z.string()).default({}),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .default([]),
});
type Selector = z.infer<typeof labels>;
const peer = z.strictObject({
  podSelector: labels.optional(),
  namespaceSelector: labels.optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
const port = z.strictObject({
  port: z.union([z.string(), z.number()]).optional(),
  protocol: z.string().default('TCP'),
});
const ports = z.array(port).optional();
const policy = z.object({
  metadata: z.object({ namespace: z.string() }),
  spec: z.strictObject({
    podSelector: labels,
    policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
    ingress: z.array(z.strictObject({ from: z.array(peer).optional(), ports })).default([]),
    egress: z.array(z.strictObject({ to: z.array(peer).optional(), ports })).default([]),
  }),
});
type Policy = z.infer<typeof policy>;

/** The source or destination of a connection: a pod with the labels of its namespace, or an external address. */
export type Endpoint = {
  name: string;
  namespace: { name: string; labels: Record<string, string> } | undefined;
  labels: Record<string, string>;
  address: string;
  ports: readonly { name: string; port: number; protocol: string }[];
};
type Port = Endpoint['ports'][number];

export const readPolicies = (objects: readonly KubeObject[]): Policy[] =>
  objects.filter(({ kind }) => kind === 'NetworkPolicy').map((object) => policy.parse(object));

const selects = ({ matchLabels, matchExpressions }: Selector, actual: Record<string, string>): boolean =>
  matches(matchLabels, actual) && matchExpressions.every(({ key, values }) => values.includes(actual[key] ?? ''));

function isPeer(
  { podSelector, namespaceSelector, ipBlock }: z.infer<typeof peer>,
  endpoint: Endpoint,
  policyNamespace: string,
): boolean {
  if (ipBlock) {
    return isInNetwork(ipBlock.cidr, endpoint) && !ipBlock.except.some((cidr) => isInNetwork(cidr, endpoint));
  }
  if (!endpoint.namespace) return false;
  const isInNamespace = namespaceSelector
    ? selects(namespaceSelector, endpoint.namespace.labels)
    : endpoint.namespace.name === policyNamespace;
  return isInNamespace && (!podSelector || selects(podSelector, endpoint.labels));
}

function isInNetwork(cidr: string, { address }: Endpoint): boolean {
  const [network = '', bits] = cidr.split('/');
  // A block list would find an IPv4 address in `::/0`.
  if (isIPv6(network) !== isIPv6(address)) return false;
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  const block = new BlockList();
  block.addSubnet(network, Number(bits), family);
  return block.check(address, family);
}

const isPort = (required: z.infer<typeof port>, actual: Port): boolean =>
  required.protocol === actual.protocol &&
  (required.port === undefined || required.port === actual.port || required.port === actual.name);

/** Returns whether the policies of one side allow a connection. */
function allows(
  policies: readonly Policy[],
  side: Endpoint,
  direction: 'Ingress' | 'Egress',
  other: Endpoint,
  targetPort: Port,
): boolean {
  const selectingPolicies = policies.filter(
    ({ metadata, spec }) =>
      side.namespace?.name === metadata.namespace &&
      spec.policyTypes.includes(direction) &&
      selects(spec.podSelector, side.labels),
  );
  if (selectingPolicies.length === 0) return true;
  return selectingPolicies.some(({ metadata, spec }) => {
    const rules =
      direction === 'Ingress'
        ? spec.ingress.map((rule) => ({ peers: rule.from, ports: rule.ports }))
        : spec.egress.map((rule) => ({ peers: rule.to, ports: rule.ports }));
    return rules.some(
      ({ peers, ports: allowedPorts }) =>
        (!peers || peers.some((allowedPeer) => isPeer(allowedPeer, other, metadata.namespace))) &&
        (!allowedPorts || allowedPorts.some((allowedPort) => isPort(allowedPort, targetPort))),
    );
  });
}

/** Lists every connection that the policies allow, as `from > to:port`. */
export function listOpenPaths(policies: readonly Policy[], endpoints: readonly Endpoint[]): string[] {
  return endpoints.flatMap((from) =>
    endpoints
      .filter((to) => to !== from && (from.namespace ?? to.namespace))
      .flatMap((to) =>
        to.ports
          .filter((port) => allows(policies, from, 'Egress', to, port) && allows(policies, to, 'Ingress', from, port))
          .map(({ port, protocol }) => `${from.name} > ${to.name}:${port}${protocol === 'TCP' ? '' : `/${protocol}`}`),
      ),
  );
}
