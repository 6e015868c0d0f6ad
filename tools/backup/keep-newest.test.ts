import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { removeOldBackups } from './make-backup.ts';

describe('removeOldBackups', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-backups-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const createBackup = (name: string, isComplete = true) => {
    mkdirSync(join(folder, name));
    if (isComplete) writeFileSync(join(folder, name, 'manifest.json'), '{}');
  };

  it('counts only complete backups, and removes partial ones older than the newest complete backup', async () => {
    createBackup('2026-11-20T01-00-00Z');
    createBackup('2026-11-21T01-00-00Z', false);
    createBackup('2026-11-22T01-00-00Z');
    createBackup('2026-11-23T01-00-00Z');
    createBackup('2026-11-23T02-00-00Z', false);
    createBackup('2026-11-23T03-00-00Z.partial');
    createBackup('unrelated', false);
    expect(await removeOldBackups(folder, 2)).toEqual(['2026-11-20T01-00-00Z', '2026-11-21T01-00-00Z']);
    expect(readdirSync(folder).sort()).toEqual([
      '2026-11-22T01-00-00Z',
      '2026-11-23T01-00-00Z',
      '2026-11-23T02-00-00Z',
      '2026-11-23T03-00-00Z.partial',
      'unrelated',
    ]);
  });

  it('never removes the only complete backup', async () => {
    createBackup('2026-11-20T01-00-00Z');
    createBackup('2026-11-21T01-00-00Z', false);
    expect(await removeOldBackups(folder, 1)).toEqual([]);
  });
});
