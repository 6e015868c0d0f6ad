import { describe, expect, it } from '@jest/globals';
import { withTemporaryNamespace } from './temporary-namespace.ts';

/** A kubectl that records its commands. */
const recordingKubectl = (found = '') => {
  const asked: string[] = [];
  const run = async (...args: string[]) => {
    asked.push(args.slice(0, 2).join(' '));
    return args[0] === 'get' ? found : '';
  };
  return { asked, kubectl: { namespace: 'atrium', run } };
};
const failing = async () => {
  throw new Error('The images are missing');
};

describe('withTemporaryNamespace', () => {
  it('deletes the namespace after success and after a failure', async () => {
    const whole = recordingKubectl();
    await withTemporaryNamespace(whole.kubectl, { keep: false }, async () => void whole.asked.push('deploy'));
    expect(whole.asked).toEqual(['get namespace', 'deploy', 'delete namespace']);
    const half = recordingKubectl();
    await expect(withTemporaryNamespace(half.kubectl, { keep: false }, failing)).rejects.toThrow(
      'The images are missing',
    );
    expect(half.asked).toEqual(['get namespace', 'delete namespace']);
  });

  it('keeps the namespace with --keep', async () => {
    const { asked, kubectl } = recordingKubectl();
    await expect(withTemporaryNamespace(kubectl, { keep: true }, failing)).rejects.toThrow();
    expect(asked).toEqual(['get namespace']);
  });

  it('rejects an existing namespace', async () => {
    const { asked, kubectl } = recordingKubectl('namespace/atrium\n');
    await expect(withTemporaryNamespace(kubectl, { keep: false }, failing)).rejects.toThrow(/atrium already exists/);
    expect(asked).toEqual(['get namespace']);
  });
});
