import { describe, expect, it } from '@jest/globals';
import { execute } from './execute.ts';

describe('a command', () => {
  it('reads what it is given, and answers what it wrote', async () => {
    expect(await execute('cat', [], { input: 'a manifest' })).toBe('a manifest');
    expect(await execute('cat', [])).toBe('');
  });

  it('fails with what it complained about', async () => {
    await expect(execute('sh', ['-c', 'echo no such cluster >&2; exit 3'])).rejects.toThrow('no such cluster');
  });

  it('may end before it has read what it is given', async () => {
    const input = 'x'.repeat(1024 * 1024);
    await expect(execute('sh', ['-c', 'exit 3'], { input })).rejects.toMatchObject({ code: 3 });
    expect(await execute('true', [], { input })).toBe('');
  });
});
