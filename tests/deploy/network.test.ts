import { describe, expect, it } from '@jest/globals';
import { environmentOf, generateSecrets } from './checks/environment.ts';
import { type KubeObject, ofKind, workloadsOf } from './manifest.ts';
import { allowedPaths, NAMES } from './network/allowed-paths.ts';
import { endpointsOf } from './network/endpoints.ts';
import { listOpenPaths, readPolicies } from './network/policies.ts';
import { OVERLAYS, renderOverlay } from './render-overlay.ts';

/** Paths from, to, or within the deployment, as opposed to paths between other workloads. */
const OTHERS = [...NAMES, 'cloud-keys', 'api-server', 'ingress', 'monitoring', 'stranger', 'stores', 'internet'];
const concernsUs = (line: string): boolean => {
  const [from = '', to = ''] = line.split(/ > |:/);
  return !(OTHERS.includes(from) && OTHERS.includes(to));
};

const linesOf = (objects: readonly KubeObject[]): string[] =>
  [...new Set(listOpenPaths(readPolicies(objects), endpointsOf(objects)))].filter(concernsUs).sort();

const policyOf = (spec: object): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'another', namespace: 'atrium', labels: {} },
  spec,
});

it.each(OVERLAYS)('allows exactly the documented network paths in %s', async (overlay) => {
  const lines = linesOf(await renderOverlay(overlay));
  expect(lines).toEqual(allowedPaths(overlay).sort());
  expect(lines.length).toBeGreaterThan(40);
});

describe('client address', () => {
  it.each(OVERLAYS)(
    'is read from X-Forwarded-For only if all clients of the gateway are trusted: %s',
    async (overlay) => {
      const objects = await renderOverlay(overlay);
      const [container] = workloadsOf(objects).find(({ name }) => name === 'gateway')?.pod.spec.containers ?? [];
      if (!container) throw new Error('The overlay has no gateway');
      const { TRUSTED_PROXIES } = environmentOf(objects, generateSecrets(), container).env;
      const isOpen = linesOf(objects).includes('stranger > gateway:3000');
      expect({ isOpen, TRUSTED_PROXIES }).toEqual({ isOpen, TRUSTED_PROXIES: isOpen ? '' : '10.244.0.0/16' });
    },
  );

  it('is preserved by NodePort services', async () => {
    const services = ofKind(await renderOverlay('dev'), 'Service');
    const ways = services.filter(({ spec }) => spec.selector['app.kubernetes.io/name'] === 'gateway');
    const outside = ways.filter(({ spec }) => spec.type !== 'ClusterIP');
    expect(outside.map(({ spec }) => [spec.type, spec.externalTrafficPolicy])).toEqual([['NodePort', 'Local']]);
  });
});

describe('listOpenPaths', () => {
  it('finds a path that an additional policy opens', async () => {
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
      expect.arrayContaining(['stranger > postgres:5432', 'gateway > internet:443', 'gateway > stores:443']),
    );
    expect(more).not.toContain('gateway > internet:80');
    expect(more).not.toContain('stranger > postgres:9999');
  });

  it('finds missing paths, and opens everything without a default-deny policy', async () => {
    const objects = await renderOverlay('small');
    const without = (name: string) => linesOf(objects.filter(({ metadata }) => metadata.name !== name));
    expect(without('clients-to-postgres')).not.toContain('auth > postgres:5432');
    expect(without('nothing')).toContain('stranger > objects-users:9999');
    expect(without('nothing')).not.toContain('stranger > postgres:5432');
  });

  it('rejects policies with unsupported fields', async () => {
    const odd = policyOf({
      podSelector: { matchExpressions: [{ key: 'postgres-client', operator: 'Exists' }] },
      policyTypes: ['Egress'],
      egress: [{}],
    });
    expect(() => readPolicies([odd])).toThrow(/matchExpressions/);
  });
});
