import { describe, expect, it } from '@jest/globals';
import { HELP, readSeedOptions } from './options.ts';

describe('readSeedOptions', () => {
  it('derives default counts from the number of people', () => {
    expect(readSeedOptions([])).toEqual({
      help: false,
      force: false,
      people: 500,
      projects: 50,
      tasks: 1000,
      documents: 100_000,
      attachments: 10_000,
    });
    expect(readSeedOptions(['--people', '50000'])).toMatchObject({
      projects: 5000,
      tasks: 100_000,
      documents: 100_000,
      attachments: 10_000,
    });
    expect(readSeedOptions(['--people', '7', '--projects', '0', '--tasks', '3'])).toMatchObject({
      projects: 0,
      tasks: 3,
    });
  });

  it('rejects unknown options and invalid numbers', () => {
    expect(() => readSeedOptions(['--persons', '4'])).toThrow(/Unknown option '--persons'/);
    expect(() => readSeedOptions(['--people', 'many'])).toThrow(
      '--people must be a number from 0 to 1000000, not "many"',
    );
    expect(() => readSeedOptions(['--tasks', '-1'])).toThrow();
  });

  it('explains every option in the help text', () => {
    for (const option of ['--people', '--projects', '--tasks', '--documents', '--attachments', '--force', '--help'])
      expect(HELP).toContain(`  ${option}`);
  });
});
