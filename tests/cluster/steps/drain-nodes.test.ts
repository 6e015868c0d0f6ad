import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../kubectl.ts';
import { namesOfSeveral, namesWithout } from './names-without.ts';
import { type Node, nodesToDrain } from './nodes-to-drain.ts';

const node = (name: string, spec: Node['spec'] = {}): Node => ({ metadata: { name }, spec });
const pod = (name: string, nodeName = 'one', isReady = true): Pod => ({
  metadata: { name: `${name}-1`, labels: { 'app.kubernetes.io/name': name } },
  spec: { nodeName, containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

describe('the nodes that are drained', () => {
  it('are all that hold pods, and not only the first', () => {
    const nodes = [node('one'), node('two'), node('three')];
    expect(nodesToDrain(nodes, [pod('auth', 'two'), pod('users', 'three')])).toEqual([
      { name: 'two', hasRefuge: true },
      { name: 'three', hasRefuge: true },
    ]);
  });

  it('have no refuge where no other node takes pods', () => {
    const alone = [{ name: 'one', hasRefuge: false }];
    const controlPlane = node('two', { taints: [{ effect: 'NoSchedule' }] });
    expect(nodesToDrain([node('one')], [pod('auth')])).toEqual(alone);
    expect(nodesToDrain([node('one'), controlPlane], [pod('auth')])).toEqual(alone);
    expect(
      nodesToDrain([node('one'), node('two', { taints: [{ effect: 'PreferNoSchedule' }] })], [pod('auth')]),
    ).toEqual([{ name: 'one', hasRefuge: true }]);
  });

  it('leave alone what an operator has cordoned', () => {
    const nodes = [node('one'), node('two', { unschedulable: true })];
    expect(nodesToDrain(nodes, [pod('auth'), pod('users', 'two')])).toEqual([{ name: 'one', hasRefuge: false }]);
  });
});

describe('the services that are held to stay there', () => {
  it('are those with several pods that are ready: one alone has nobody to take its place', () => {
    const pods = [pod('auth'), pod('auth', 'two'), pod('users'), pod('chat'), pod('chat', 'two', false)];
    expect(namesOfSeveral(pods)).toEqual(['auth']);
  });
});

describe('the watch over pods that are ready', () => {
  /** Says so once somebody has looked at pods that often. */
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

  it('names each that had no pod which was ready at some moment', async () => {
    const all = [pod('auth'), pod('users')];
    const { pods, enough } = looking([all, [pod('auth'), pod('users', 'one', false)], all]);
    expect(await namesWithout({ pods }, ['auth', 'users'], () => enough)).toEqual(['users']);
  });

  it('waits for what it watches where looking fails', async () => {
    const over = Promise.withResolvers<void>();
    let isOver = false;
    const watched = namesWithout({ pods: () => Promise.reject(new Error('no answer')) }, ['auth'], async () => {
      await over.promise;
      isOver = true;
    });
    const outcome = expect(watched).rejects.toThrow('no answer');
    over.resolve();
    await outcome;
    expect(isOver).toBe(true);
  });

  it('ends with what it watches, also where that fails', async () => {
    const { pods, enough } = looking([[pod('auth')]]);
    const failing = async () => {
      await enough;
      throw new Error('the node is not cordoned');
    };
    await expect(namesWithout({ pods }, ['auth'], failing)).rejects.toThrow('the node is not cordoned');
  });

  it('fails where it cannot look', async () => {
    const pods = () => Promise.reject(new Error('no answer'));
    await expect(namesWithout({ pods }, ['auth'], async () => undefined)).rejects.toThrow('no answer');
  });
});
