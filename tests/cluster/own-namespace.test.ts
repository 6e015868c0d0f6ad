import { describe, expect, it } from '@jest/globals';
import { useOwnNamespace } from './own-namespace.ts';

/** A kubectl that writes down what it is asked to do. */
const writingDown = (found = '') => {
  const asked: string[] = [];
  const run = async (...args: string[]) => {
    asked.push(args.slice(0, 2).join(' '));
    return args[0] === 'get' ? found : '';
  };
  return { asked, kubectl: { namespace: 'atrium', run } };
};
const failing = async () => {
  throw new Error('the images are not there');
};

describe('a namespace of its own', () => {
  it('is removed when everything has been done, and when something has failed on the way', async () => {
    const whole = writingDown();
    await useOwnNamespace(whole.kubectl, { keep: false }, async () => void whole.asked.push('deploy'));
    expect(whole.asked).toEqual(['get namespace', 'deploy', 'delete namespace']);
    const half = writingDown();
    await expect(useOwnNamespace(half.kubectl, { keep: false }, failing)).rejects.toThrow('the images are not there');
    expect(half.asked).toEqual(['get namespace', 'delete namespace']);
  });

  it('stays where it is to be kept', async () => {
    const { asked, kubectl } = writingDown();
    await expect(useOwnNamespace(kubectl, { keep: true }, failing)).rejects.toThrow();
    expect(asked).toEqual(['get namespace']);
  });

  it('is never one of somebody else', async () => {
    const { asked, kubectl } = writingDown('namespace/atrium\n');
    await expect(useOwnNamespace(kubectl, { keep: false }, failing)).rejects.toThrow(/atrium exists/);
    expect(asked).toEqual(['get namespace']);
  });
});
