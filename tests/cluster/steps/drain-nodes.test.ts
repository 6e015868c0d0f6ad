import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../kubectl.ts';
import { findUnavailable, listReplicated, type Node, nodesToDrain } from './drain-nodes.ts';

const node = (name: string, spec: Node['spec'] = {}): Node => ({ metadata: { name }, spec });
const pod = (name: string, nodeName = 'one', isReady = true): Pod => ({
  metadata: { name: `${name}-1`, labels: { 'app.kubernetes.io/name': name } },
  spec: { nodeName, containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

describe('nodesToDrain', () => {
  it('returns every node with pods', () => {
    const nodes = [node('one'), node('two'), node('three')];
    expect(nodesToDrain(nodes, [pod('auth', 'two'), pod('users', 'three')])).toEqual([
      { name: 'two', hasRefuge: true },
      { name: 'three', hasRefuge: true },
    ]);
  });

  it('reports that pods have no refuge if no other node accepts pods', () => {
    const withoutRefuge = [{ name: 'one', hasRefuge: false }];
    const controlPlane = node('two', { taints: [{ effect: 'NoSchedule' }] });
    expect(nodesToDrain([node('one')], [pod('auth')])).toEqual(withoutRefuge);
    expect(nodesToDrain([node('one'), controlPlane], [pod('auth')])).toEqual(withoutRefuge);
    expect(
      nodesToDrain([node('one'), node('two', { taints: [{ effect: 'PreferNoSchedule' }] })], [pod('auth')]),
    ).toEqual([{ name: 'one', hasRefuge: true }]);
  });

  it('skips cordoned nodes', () => {
    const nodes = [node('one'), node('two', { unschedulable: true })];
    expect(nodesToDrain(nodes, [pod('auth'), pod('users', 'two')])).toEqual([{ name: 'one', hasRefuge: false }]);
  });
});

describe('listReplicated', () => {
  it('returns services with several ready pods', () => {
    const pods = [pod('auth'), pod('auth', 'two'), pod('users'), pod('chat'), pod('chat', 'two', false)];
    expect(listReplicated(pods)).toEqual(['auth']);
  });
});

describe('findUnavailable', () => {
  /** Responds to queries in turn, then repeats the last response; resolves `exhausted` at the first repetition. */
  const scriptPods = (responses: readonly Pod[][]) => {
    let queryCount = 0;
    const exhausted = Promise.withResolvers<void>();
    const pods = async () => {
      queryCount += 1;
      if (queryCount > responses.length) exhausted.resolve();
      return responses[Math.min(queryCount, responses.length) - 1] ?? [];
    };
    return { pods, exhausted: exhausted.promise };
  };

  it('returns services that had no ready pod at any time', async () => {
    const allReady = [pod('auth'), pod('users')];
    const { pods, exhausted } = scriptPods([allReady, [pod('auth'), pod('users', 'one', false)], allReady]);
    expect(await findUnavailable({ pods }, ['auth', 'users'], () => exhausted)).toEqual(['users']);
  });

  it('waits for the watched function to finish if a query fails', async () => {
    const finish = Promise.withResolvers<void>();
    let hasFinished = false;
    const watched = findUnavailable({ pods: () => Promise.reject(new Error('no response')) }, ['auth'], async () => {
      await finish.promise;
      hasFinished = true;
    });
    const outcome = expect(watched).rejects.toThrow('no response');
    finish.resolve();
    await outcome;
    expect(hasFinished).toBe(true);
  });

  it('stops polling and rejects when the watched function fails', async () => {
    const { pods, exhausted } = scriptPods([[pod('auth')]]);
    const fail = async () => {
      await exhausted;
      throw new Error('The node is not cordoned');
    };
    await expect(findUnavailable({ pods }, ['auth'], fail)).rejects.toThrow('The node is not cordoned');
  });

  it('fails if pods cannot be listed', async () => {
    const pods = () => Promise.reject(new Error('no response'));
    await expect(findUnavailable({ pods }, ['auth'], async () => undefined)).rejects.toThrow('no response');
  });
});
