import { describe, expect, it } from '@jest/globals';
import { execute } from './execute.ts';

describe('execute', () => {
  it('passes input to a command and returns its output', async () => {
    expect(await execute('cat', [], { input: 'a manifest' })).toBe('a manifest');
    expect(await execute('cat', [])).toBe('');
  });

  it('throws an error with the stderr of a failed command', async () => {
    await expect(execute('sh', ['-c', 'echo no such cluster >&2; exit 3'])).rejects.toThrow('no such cluster');
  });

  it('tolerates a command that ends without reading its input', async () => {
    const input = 'x'.repeat(1024 * 1024);
    await expect(execute('sh', ['-c', 'exit 3'], { input })).rejects.toMatchObject({ code: 3 });
    expect(await execute('true', [], { input })).toBe('');
  });
});
