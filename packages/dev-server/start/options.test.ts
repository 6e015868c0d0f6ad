import { describe, expect, it } from '@jest/globals';
import { HELP, readOptions } from './options.ts';

describe('readOptions', () => {
  it('turns every option off by default', () => {
    expect(readOptions([])).toEqual({ help: false, demo: false, reset: false, port: undefined });
  });

  it('reads --port, --demo, and --reset', () => {
    expect(readOptions(['--port', '4000', '--demo', '--reset'])).toMatchObject({ port: 4000, demo: true, reset: true });
  });

  it('rejects unknown options and invalid ports', () => {
    expect(() => readOptions(['--prot', '4000'])).toThrow(/Unknown option '--prot'/);
    expect(() => readOptions(['--port', 'many'])).toThrow('--port must be a number from 1 to 65535, not "many"');
    expect(() => readOptions(['--port', '70000'])).toThrow(/65535/);
  });

  it('explains every option in the help text', () => {
    for (const option of ['--demo', '--port', '--reset', '--help']) expect(HELP).toContain(`  ${option}`);
  });
});
