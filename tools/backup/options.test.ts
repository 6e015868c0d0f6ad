import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';

describe('readOptions', () => {
  it('parses the options of backup and restore', () => {
    expect(readOptions('backup', ['--to', '/backups', '--keep', '7'])).toEqual({
      command: 'backup',
      to: '/backups',
      keep: 7,
    });
    expect(readOptions('backup', ['--verify', '/backups'])).toEqual({ command: 'verify', folder: '/backups' });
    expect(readOptions('restore', ['--from', '/backups', '--end-sessions'])).toEqual({
      command: 'restore',
      from: '/backups',
      endSessions: true,
      withoutDamaged: false,
    });
    expect(readOptions('restore', ['--help'])).toEqual({ command: 'help' });
  });

  it.each([
    ['backup', [], 'Missing --to'],
    ['backup', ['--to', '/backups', '--keep', '0'], '--keep must be'],
    ['backup', ['--from', '/backups'], 'backup only accepts'],
    ['backup', ['--to', '/backups', '--without-damaged'], 'backup only accepts'],
    ['backup', ['--verify', '/backups', '--to', '/backups'], '--verify cannot be combined'],
    ['restore', [], 'Missing --from'],
    ['restore', ['--from', '/backups', '--keep', '3'], 'restore only accepts'],
    ['restore', ['--everything'], "Unknown option '--everything'"],
  ] as const)('rejects the arguments of npm run %s: %j', (command, args, message) => {
    expect(() => readOptions(command, [...args])).toThrow(message);
  });
});
