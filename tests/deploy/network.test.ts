import { describe, expect, it } from '@jest/globals';
import { generateSecrets, resolveEnvironment } from './checks/environment.ts';
import { type KubeObject, ofKind, workloadsOf } from './manifest.ts';
import { allowedPaths, DNS_SERVERS } from './network/allowed-paths.ts';
import { endpointsOf } from './network/endpoints.ts';
import { listOpenPaths, readPolicies } from './network/policies.ts';
import { OVERLAYS, renderOverlay } from './render-overlay.ts';

/** Endpoints outside the deployment. Paths between two of them are not checked. */
const OTHERS = [
  ...DNS_SERVERS,
  'cloud-metadata',
  'api-server',
  'ingress',
  'monitoring',
  'unrelated-pod',
  'external-stores',
  'internet',
];
const concernsDeployment = (line: string): boolean => {
  const [from = '', to = ''] = line.split(/ > |:/);
  return !(OTHERS.includes(from) && OTHERS.includes(to));
};

const listDeploymentPaths = (objects: readonly KubeObject[]): string[] =>
  [...new Set(listOpenPaths(readPolicies(objects), endpointsOf(objects)))].filter(concernsDeployment).sort();

const buildPolicy = (spec: object): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'another', namespace: 'atrium', labels: {} },
  spec,
});

it.each(OVERLAYS)('the NetworkPolicies of %s allow exactly the documented network paths', async (overlay) => {
  const lines = listDeploymentPaths(await renderOverlay(overlay));
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
      const { TRUSTED_PROXIES } = resolveEnvironment(objects, generateSecrets(), container).env;
      const isOpen = listDeploymentPaths(objects).includes('unrelated-pod > gateway:3000');
      expect({ isOpen, TRUSTED_PROXIES }).toEqual({ isOpen, TRUSTED_PROXIES: isOpen ? '' : '10.244.0.0/16' });
    },
  );

  it('is preserved by NodePort services', async () => {
    const services = ofKind(await renderOverlay('dev'), 'Service');
    const gatewayServices = services.filter(({ spec }) => spec.selector['app.kubernetes.io/name'] === 'gateway');
    const externalServices = gatewayServices.filter(({ spec }) => spec.type !== 'ClusterIP');
    expect(externalServices.map(({ spec }) => [spec.type, spec.externalTrafficPolicy])).toEqual([
      ['NodePort', 'Local'],
    ]);
  });
});

describe('listOpenPaths', () => {
  it('finds a path that an additional policy opens', async () => {
    const objects = await renderOverlay('small');
    const pathsBefore = listDeploymentPaths(objects);
    const additionalPolicies = [
      buildPolicy({
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'postgres' } },
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 'postgres' }] }],
      }),
      buildPolicy({
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } },
        policyTypes: ['Egress'],
        egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }],
      }),
    ];
    const openedPaths = listDeploymentPaths([...objects, ...additionalPolicies]).filter(
      (line) => !pathsBefore.includes(line),
    );
    expect(openedPaths).toEqual(
      expect.arrayContaining([
        'unrelated-pod > postgres:5432',
        'gateway > internet:443',
        'gateway > external-stores:443',
      ]),
    );
    expect(openedPaths).not.toContain('gateway > internet:80');
    expect(openedPaths).not.toContain('unrelated-pod > postgres:9999');
  });

  it('omits paths without a policy, and reports every path as open without the default-deny policy', async () => {
    const objects = await renderOverlay('small');
    const pathsWithout = (name: string) =>
      listDeploymentPaths(objects.filter(({ metadata }) => metadata.name !== name));
    expect(pathsWithout('clients-to-postgres')).not.toContain('auth > postgres:5432');
    expect(pathsWithout('nothing')).toContain('unrelated-pod > objects-users:9999');
    expect(pathsWithout('nothing')).not.toContain('unrelated-pod > postgres:5432');
  });
});

describe('readPolicies', () => {
  it('rejects policies with unsupported fields', async () => {
    const unsupportedPolicy = buildPolicy({
      podSelector: { matchExpressions: [{ key: 'postgres-client', operator: 'Exists' }] },
      policyTypes: ['Egress'],
      egress: [{}],
    });
    expect(() => readPolicies([unsupportedPolicy])).toThrow(/matchExpressions/);
  });
});
