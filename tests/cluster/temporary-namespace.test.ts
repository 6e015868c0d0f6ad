import { describe, expect, it } from '@jest/globals';
import { withTemporaryNamespace } from './temporary-namespace.ts';

/** A kubectl that records its commands. */
const recordingKubectl = (existing = '') => {
  const commands: string[] = [];
  const run = async (...args: string[]) => {
    commands.push(args.slice(0, 2).join(' '));
    return args[0] === 'get' ? existing : '';
  };
  return { commands, kubectl: { namespace: 'atrium', run } };
};
const fail = async () => {
  throw new Error('The images are missing');
};

describe('withTemporaryNamespace', () => {
  it('deletes the namespace after success and after a failure', async () => {
    const succeeded = recordingKubectl();
    await withTemporaryNamespace(
      succeeded.kubectl,
      { keep: false },
      async () => void succeeded.commands.push('deploy'),
    );
    expect(succeeded.commands).toEqual(['get namespace', 'deploy', 'delete namespace']);
    const failed = recordingKubectl();
    await expect(withTemporaryNamespace(failed.kubectl, { keep: false }, fail)).rejects.toThrow(
      'The images are missing',
    );
    expect(failed.commands).toEqual(['get namespace', 'delete namespace']);
  });

  it('keeps the namespace with --keep', async () => {
    const { commands, kubectl } = recordingKubectl();
    await expect(withTemporaryNamespace(kubectl, { keep: true }, fail)).rejects.toThrow();
    expect(commands).toEqual(['get namespace']);
  });

  it('rejects an existing namespace', async () => {
    const { commands, kubectl } = recordingKubectl('namespace/atrium\n');
    await expect(withTemporaryNamespace(kubectl, { keep: false }, fail)).rejects.toThrow(/atrium already exists/);
    expect(commands).toEqual(['get namespace']);
  });
});
