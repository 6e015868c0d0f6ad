import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from './manifest.ts';
import { drawnLines } from './network/drawing.ts';
import { placesOf } from './network/places.ts';
import { openLines, readPolicies } from './network/policies.ts';
import { OVERLAYS, renderOverlay } from './render-overlay.ts';

/** Lines between a deployment and what surrounds it or within it; what others say among themselves is not ours. */
const OTHERS = ['names', 'api-server', 'ingress', 'monitoring', 'stranger', 'stores', 'world'];
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
    expect(without('nothing')).toContain('stranger > objects-user:9999');
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
