import { describe, expect, it } from '@jest/globals';
import { environmentOf } from './checks/environment.ts';
import { type KubeObject, ofKind, workloadsOf } from './manifest.ts';
import { drawnLines, NAMES } from './network/allowed-paths.ts';
import { placesOf } from './network/places.ts';
import { openLines, readPolicies } from './network/policies.ts';
import { OVERLAYS, renderOverlay } from './render-overlay.ts';
import { madeSecrets } from './secrets.ts';

/** Lines between a deployment and what surrounds it or within it; what others say among themselves is not ours. */
const OTHERS = [...NAMES, 'cloud-keys', 'api-server', 'ingress', 'monitoring', 'stranger', 'stores', 'world'];
const concernsUs = (line: string): boolean => {
  const [from = '', to = ''] = line.split(/ > |:/);
  return !(OTHERS.includes(from) && OTHERS.includes(to));
};

const linesOf = (objects: readonly KubeObject[]): string[] =>
  [...new Set(openLines(readPolicies(objects), placesOf(objects)))].filter(concernsUs).sort();

const policyOf = (spec: object): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'another', namespace: 'atrium', labels: {} },
  spec,
});

it.each(OVERLAYS)('opens the lines of the drawing in %s, and no others', async (overlay) => {
  const lines = linesOf(await renderOverlay(overlay));
  expect(lines).toEqual(drawnLines(overlay).sort());
  expect(lines.length).toBeGreaterThan(40);
});

describe('the address of a client', () => {
  it.each(OVERLAYS)('is not what anybody says who reaches the gateway: %s', async (overlay) => {
    const objects = await renderOverlay(overlay);
    const [container] = workloadsOf(objects).find(({ name }) => name === 'gateway')?.pod.spec.containers ?? [];
    if (!container) throw new Error('there is no gateway');
    const { TRUSTED_PROXIES } = environmentOf(objects, madeSecrets(), container).env;
    const isOpen = linesOf(objects).includes('stranger > gateway:3000');
    expect({ isOpen, TRUSTED_PROXIES }).toEqual({ isOpen, TRUSTED_PROXIES: isOpen ? '' : '10.244.0.0/16' });
  });

  it('is that of the client, and not of a node that passes it on', async () => {
    const services = ofKind(await renderOverlay('dev'), 'Service');
    const ways = services.filter(({ spec }) => spec.selector['app.kubernetes.io/name'] === 'gateway');
    const outside = ways.filter(({ spec }) => spec.type !== 'ClusterIP');
    expect(outside.map(({ spec }) => [spec.type, spec.externalTrafficPolicy])).toEqual([['NodePort', 'Local']]);
  });
});

describe('the reading of policies', () => {
  it('sees a line that a policy opens besides', async () => {
    const objects = await renderOverlay('small');
    const before = linesOf(objects);
    const wide = [
      policyOf({
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'postgres' } },
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 'postgres' }] }],
      }),
      policyOf({
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } },
        policyTypes: ['Egress'],
        egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }],
      }),
    ];
    const more = linesOf([...objects, ...wide]).filter((line) => !before.includes(line));
    expect(more).toEqual(
      expect.arrayContaining(['stranger > postgres:5432', 'gateway > world:443', 'gateway > stores:443']),
    );
    expect(more).not.toContain('gateway > world:80');
    expect(more).not.toContain('stranger > postgres:9999');
  });

  it('sees a line that no policy opens any more, and everything open where nothing is closed', async () => {
    const objects = await renderOverlay('small');
    const without = (name: string) => linesOf(objects.filter(({ metadata }) => metadata.name !== name));
    expect(without('clients-to-postgres')).not.toContain('auth > postgres:5432');
    expect(without('nothing')).toContain('stranger > objects-users:9999');
    expect(without('nothing')).not.toContain('stranger > postgres:5432');
  });

  it('takes no word of a policy that it does not understand for one that opens nothing', async () => {
    const odd = policyOf({
      podSelector: { matchExpressions: [{ key: 'postgres-client', operator: 'Exists' }] },
      policyTypes: ['Egress'],
      egress: [{}],
    });
    expect(() => readPolicies([odd])).toThrow(/matchExpressions/);
  });
});
