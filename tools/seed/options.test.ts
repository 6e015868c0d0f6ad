import { describe, expect, it } from '@jest/globals';
import { HELP, readSeedOptions } from './options.ts';

describe('the options of npm run seed', () => {
  it('take numbers that fit one another unless told', () => {
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

  it('refuse what they do not know, with a sentence', () => {
    expect(() => readSeedOptions(['--persons', '4'])).toThrow(/Unknown option '--persons'/);
    expect(() => readSeedOptions(['--people', 'many'])).toThrow(
      '--people must be a number from 0 to 1000000, not "many"',
    );
    expect(() => readSeedOptions(['--tasks', '-1'])).toThrow();
  });

  it('are all explained by --help', () => {
    for (const option of ['--people', '--projects', '--tasks', '--documents', '--attachments', '--force', '--help'])
      expect(HELP).toContain(`  ${option}`);
  });
});
