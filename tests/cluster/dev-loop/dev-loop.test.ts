import { describe, expect, it } from '@jest/globals';
import type { Kubectl, Pod } from '../kubectl.ts';
import { createRestorePatch, patchFromSources } from './from-sources.ts';
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
    const changedFields = Object.keys(patchFromSources('atrium/users:dev').spec);
    const restorePatch = createRestorePatch({ spec: { strategy, template } });
    expect(restorePatch.map(({ op, path, value }) => [op, path, value])).toEqual([
      ['replace', '/spec/strategy', strategy],
      ['replace', '/spec/template', template],
    ]);
    expect(restorePatch.map(({ path }) => path)).toEqual(changedFields.map((field) => `/spec/${field}`).sort());
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
    const patches: unknown[] = [];
    let maxReplicas = 3;
    const kubectl: Pick<Kubectl, 'get' | 'run' | 'pods' | 'deployments'> = {
      get: async <T>() =>
        ({ items: [{ metadata: { name: 'users' }, spec: { minReplicas: 1, maxReplicas: 3, metrics: [] } }] }) as T,
      run: async (...args) => {
        const { spec } = JSON.parse(args.at(-1) ?? '');
        patches.push([args.slice(0, 3).join(' '), spec]);
        maxReplicas = spec.maxReplicas;
        return '';
      },
      pods: async () => (maxReplicas === 1 ? [pod('one')] : [pod('one'), pod('two')]),
      deployments: async () => ['users'],
    };
    return { patches, kubectl };
  };

  it('limits autoscalers to one pod, and restores them even after a failure', async () => {
    const { patches, kubectl } = fakeCluster();
    const fail = async () => {
      expect(await kubectl.pods()).toHaveLength(1);
      throw new Error('The file in the pod differs');
    };
    await expect(withOnePodEach(kubectl, fail)).rejects.toThrow('The file in the pod differs');
    expect(patches).toEqual([
      ['patch hpa users', { minReplicas: 1, maxReplicas: 1 }],
      ['patch hpa users', { minReplicas: 1, maxReplicas: 3 }],
    ]);
  });
});
