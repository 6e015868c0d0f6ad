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

  it('has no refuge if no other node accepts pods', () => {
    const alone = [{ name: 'one', hasRefuge: false }];
    const controlPlane = node('two', { taints: [{ effect: 'NoSchedule' }] });
    expect(nodesToDrain([node('one')], [pod('auth')])).toEqual(alone);
    expect(nodesToDrain([node('one'), controlPlane], [pod('auth')])).toEqual(alone);
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
  /** Resolves `enough` after the given number of queries. */
  const looking = (answers: readonly Pod[][]) => {
    let looks = 0;
    const enough = Promise.withResolvers<void>();
    const pods = async () => {
      looks += 1;
      if (looks > answers.length) enough.resolve();
      return answers[Math.min(looks, answers.length) - 1] ?? [];
    };
    return { pods, enough: enough.promise };
  };

  it('returns services that had no ready pod at any time', async () => {
    const all = [pod('auth'), pod('users')];
    const { pods, enough } = looking([all, [pod('auth'), pod('users', 'one', false)], all]);
    expect(await findUnavailable({ pods }, ['auth', 'users'], () => enough)).toEqual(['users']);
  });

  it('waits for the watched function if a query fails', async () => {
    const over = Promise.withResolvers<void>();
    let isOver = false;
    const watched = findUnavailable({ pods: () => Promise.reject(new Error('no response')) }, ['auth'], async () => {
      await over.promise;
      isOver = true;
    });
    const outcome = expect(watched).rejects.toThrow('no response');
    over.resolve();
    await outcome;
    expect(isOver).toBe(true);
  });

  it('ends with the watched function, even if that fails', async () => {
    const { pods, enough } = looking([[pod('auth')]]);
    const failing = async () => {
      await enough;
      throw new Error('The node is not cordoned');
    };
    await expect(findUnavailable({ pods }, ['auth'], failing)).rejects.toThrow('The node is not cordoned');
  });

  it('fails if pods cannot be listed', async () => {
    const pods = () => Promise.reject(new Error('no response'));
    await expect(findUnavailable({ pods }, ['auth'], async () => undefined)).rejects.toThrow('no response');
  });
});
