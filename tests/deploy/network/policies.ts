import { BlockList } from 'node:net';
import { z } from 'zod';
import { type KubeObject, matches } from '../manifest.ts';

// Strict: an unsupported field must not pass unnoticed, because it could open or close paths.
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
  ipBlock: z.strictObject({ cidr: z.string() }).optional(),
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
  objects.filter(({ kind }) => kind === 'NetworkPolicy').map((one) => policy.parse(one));

const selects = ({ matchLabels, matchExpressions }: Selector, have: Record<string, string>): boolean =>
  matches(matchLabels, have) && matchExpressions.every(({ key, values }) => values.includes(have[key] ?? ''));

function isPeer(
  { podSelector, namespaceSelector, ipBlock }: z.infer<typeof peer>,
  place: Endpoint,
  home: string,
): boolean {
  if (ipBlock) {
    const [network = '', bits] = ipBlock.cidr.split('/');
    const block = new BlockList();
    block.addSubnet(network, Number(bits));
    return block.check(place.address);
  }
  if (!place.namespace) return false;
  const inside = namespaceSelector ? selects(namespaceSelector, place.namespace.labels) : place.namespace.name === home;
  return inside && (!podSelector || selects(podSelector, place.labels));
}

const isPort = (wanted: z.infer<typeof port>, have: Port): boolean =>
  wanted.protocol === have.protocol &&
  (wanted.port === undefined || wanted.port === have.port || wanted.port === have.name);

/** Returns whether the policies of one side allow a connection. */
function lets(
  policies: readonly Policy[],
  side: Endpoint,
  direction: 'Ingress' | 'Egress',
  other: Endpoint,
  to: Port,
): boolean {
  const own = policies.filter(
    ({ metadata, spec }) =>
      side.namespace?.name === metadata.namespace &&
      spec.policyTypes.includes(direction) &&
      selects(spec.podSelector, side.labels),
  );
  if (own.length === 0) return true;
  return own.some(({ metadata, spec }) => {
    const rules =
      direction === 'Ingress'
        ? spec.ingress.map((rule) => ({ peers: rule.from, ports: rule.ports }))
        : spec.egress.map((rule) => ({ peers: rule.to, ports: rule.ports }));
    return rules.some(
      ({ peers, ports: opened }) =>
        (!peers || peers.some((one) => isPeer(one, other, metadata.namespace))) &&
        (!opened || opened.some((one) => isPort(one, to))),
    );
  });
}

/** Every possible connection, as `from > to:port`. */
export function listOpenPaths(policies: readonly Policy[], places: readonly Endpoint[]): string[] {
  return places.flatMap((from) =>
    places
      .filter((to) => to !== from && (from.namespace ?? to.namespace))
      .flatMap((to) =>
        to.ports
          .filter((one) => lets(policies, from, 'Egress', to, one) && lets(policies, to, 'Ingress', from, one))
          .map((one) => `${from.name} > ${to.name}:${one.port}${one.protocol === 'TCP' ? '' : `/${one.protocol}`}`),
      ),
  );
}
