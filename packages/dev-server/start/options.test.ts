import { describe, expect, it } from '@jest/globals';
import { HELP, readOptions } from './options.ts';

describe('the options of npm start', () => {
  it('are all off unless told', () => {
    expect(readOptions([])).toEqual({ help: false, demo: false, reset: false, port: undefined });
  });

  it('take a port, the demo and a fresh beginning', () => {
    expect(readOptions(['--port', '4000', '--demo', '--reset'])).toMatchObject({ port: 4000, demo: true, reset: true });
  });

  it('refuse what they do not know, with a sentence', () => {
    expect(() => readOptions(['--prot', '4000'])).toThrow(/Unknown option '--prot'/);
    expect(() => readOptions(['--port', 'many'])).toThrow('--port must be a number from 1 to 65535, not "many"');
    expect(() => readOptions(['--port', '70000'])).toThrow(/65535/);
  });

  it('are all explained by --help', () => {
    for (const option of ['--demo', '--port', '--reset', '--help']) expect(HELP).toContain(`  ${option}`);
  });
});
