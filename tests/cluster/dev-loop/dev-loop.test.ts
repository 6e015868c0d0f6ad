import { describe, expect, it } from '@jest/globals';
import type { Kubectl, Pod } from '../kubectl.ts';
import { patchBackTo, patchFromSources } from './from-sources.ts';
import { withOnePodEach } from './one-pod-each.ts';

describe('a service that runs from its sources', () => {
  it('is patched like the skaffold overlay, without probes that would restart a process with syntax errors', () => {
    expect(patchFromSources('atrium/users:dev')).toEqual({
      spec: {
        strategy: { type: 'Recreate', rollingUpdate: null },
        template: {
          spec: {
            containers: [
              {
                name: 'app',
                image: 'atrium/users:dev',
                livenessProbe: null,
                startupProbe: null,
                env: [{ name: 'DRAIN_SECONDS', value: '0' }],
                securityContext: { readOnlyRootFilesystem: false },
                resources: { limits: { memory: '1Gi' } },
              },
            ],
          },
        },
      },
    });
  });

  it('is restored with every changed field, including the strategy', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } };
    const template = { spec: { containers: [] } };
    const changed = Object.keys(patchFromSources('atrium/users:dev').spec);
    const back = patchBackTo({ spec: { strategy, template } });
    expect(back.map(({ op, path, value }) => [op, path, value])).toEqual([
      ['replace', '/spec/strategy', strategy],
      ['replace', '/spec/template', template],
    ]);
    expect(back.map(({ path }) => path)).toEqual(changed.map((part) => `/spec/${part}`).sort());
  });
});

describe('withOnePodEach', () => {
  const pod = (name: string): Pod => ({
    metadata: { name, labels: { 'app.kubernetes.io/name': 'users' } },
    spec: { containers: [] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });

  /** One autoscaler and the pods of its Deployment. */
  const fakeCluster = () => {
    const asked: unknown[] = [];
    let most = 3;
    const kubectl: Pick<Kubectl, 'get' | 'run' | 'pods' | 'deployments'> = {
      get: async <T>() =>
        ({ items: [{ metadata: { name: 'users' }, spec: { minReplicas: 1, maxReplicas: 3, metrics: [] } }] }) as T,
      run: async (...args) => {
        const { spec } = JSON.parse(args.at(-1) ?? '');
        asked.push([args.slice(0, 3).join(' '), spec]);
        most = spec.maxReplicas;
        return '';
      },
      pods: async () => (most === 1 ? [pod('one')] : [pod('one'), pod('two')]),
      deployments: async () => ['users'],
    };
    return { asked, kubectl };
  };

  it('limits autoscalers to one pod, and restores them even after a failure', async () => {
    const { asked, kubectl } = fakeCluster();
    const failing = async () => {
      expect(await kubectl.pods()).toHaveLength(1);
      throw new Error('The file in the pod differs');
    };
    await expect(withOnePodEach(kubectl, failing)).rejects.toThrow('The file in the pod differs');
    expect(asked).toEqual([
      ['patch hpa users', { minReplicas: 1, maxReplicas: 1 }],
      ['patch hpa users', { minReplicas: 1, maxReplicas: 3 }],
    ]);
  });
});
