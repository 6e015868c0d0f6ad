import { copyFileSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { type CompletedBackup, removeOldBackups } from '@atrium/tools/backup/make-backup';
import { listBackups, newName, readManifest } from '@atrium/tools/backup/manifest';
import { findErrors } from '@atrium/tools/backup/verify-backup';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBackup } from './program.ts';
import {
  createBackupFolder,
  createEmptyInstallation,
  createFilledInstallation,
  type TestInstallation,
} from './test-installation.ts';

const backups = createBackupFolder();
let source: TestInstallation;
const backupArgs = () => ['backup', '--to', backups.path];
const inodeOf = (folder: string, key: string) => statSync(join(folder, 'objects', key)).ino;
const incompleteNames = () => backups.names().filter((name) => name.endsWith('.partial'));
const sizeOf = (name: string, key: string) => statSync(join(pathOf(name), 'objects', key)).size;
const pathOf = (name: string) => join(backups.path, name);

beforeAll(async () => {
  source = await createFilledInstallation();
  await source.addFile('x'.repeat(100_000));
});
afterAll(async () => {
  backups.remove();
  await source.installation.close();
});

/** Runs a backup that fails with a full disk on its last file. */
const backUpWithFullDisk = async () => {
  const key = await source.addFile('y'.repeat(200_000));
  const { code, output } = await startBackup(source.env, backupArgs(), { fileLimit: 256 }).ended;
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('EFBIG') });
  return key;
};

const assertComplete = async ({ folder, manifest }: CompletedBackup) =>
  expect(await findErrors(folder, manifest)).toEqual({ parts: [], files: new Map() });

describe('an interrupted backup', () => {
  it('leaves nothing behind if it has no files yet, and does not touch other entries of the folder', async () => {
    // Unrelated entries, including one that looks like a backup that is being copied here.
    for (const name of ['2026-11-20T01-00-00Z', 'unrelated', 'else.partial']) mkdirSync(pathOf(name));
    const before = backups.names();
    const { installation } = await createEmptyInstallation();
    const databases = { ...source.installation.databases, users: installation.databases.users };
    await expect(backups.make({ ...source.installation, databases })).rejects.toThrow(
      'The database of users has no schema.',
    );
    expect(backups.names()).toEqual(before);
    await installation.close();
    rmdirSync(pathOf('else.partial'));
  });

  it('leaves its complete files to the next backup, even after several interruptions', async () => {
    const intactKey = await source.addFile('whole');
    const truncatedKey = await source.addFile('short');
    const partialKey = await backUpWithFullDisk();
    const [first = ''] = incompleteNames();
    expect(readdirSync(pathOf(first))).toEqual(['objects']);
    const inode = inodeOf(pathOf(first), intactKey);
    truncateSync(join(pathOf(first), 'objects', truncatedKey), 2);
    await waitFor(() => !first.startsWith(newName()), { description: 'the next second' });
    await backUpWithFullDisk();
    expect(incompleteNames()).toHaveLength(2);

    const backup = await backups.make(source.installation);
    await assertComplete(backup);
    expect(inodeOf(backup.folder, intactKey)).toBe(inode);
    expect(statSync(join(backup.folder, 'objects', partialKey)).size).toBe(200_000);
    expect(backups.output()).toMatch(/ {2}Reused \d files of partial backups/);
    expect(incompleteNames()).toEqual([]);
  });

  it('counts as incomplete even if everything but its name is complete', async () => {
    const backup = await backups.make(source.installation);
    await backUpWithFullDisk();
    const [name = ''] = incompleteNames();
    await expect(readManifest(pathOf(name))).rejects.toThrow('is a partial backup');
    copyFileSync(join(backup.folder, 'manifest.json'), join(pathOf(name), 'manifest.json'));
    await expect(readManifest(pathOf(name))).rejects.toThrow('is a partial backup');
    expect((await listBackups(backups.path)).findLast(({ isComplete }) => isComplete)?.name).toBe(
      basename(backup.folder),
    );
    const { code, output } = await startBackup(source.env, ['restore', '--from', pathOf(name)]).ended;
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('is a partial backup') });
    expect(await removeOldBackups(backups.path, 1)).not.toContain(basename(backup.folder));
    await assertComplete(await backups.make(source.installation));
  });

  it('is removed by the next backup if it was killed before it had files', async () => {
    const before = backups.names();
    const proxy = await createFaultyProxy(source.env.NATS_URL ?? '', { delayMs: 300 });
    const killed = startBackup({ ...source.env, NATS_URL: proxy.url }, backupArgs());
    await waitFor(() => incompleteNames().length > 0, { description: 'the backup to start' });
    killed.signal('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    await proxy.close();
    const [name = ''] = incompleteNames();
    // Retries until the server has closed the connection of the killed backup.
    const backup = await waitFor(() => backups.make(source.installation), { description: 'the next backup' });
    expect(backups.names().filter((name) => !before.includes(name))).toEqual([basename(backup.folder)]);
    expect(backups.output()).toContain(`Removed partial backups: ${name}`);
  });

  it('leaves its files to the next backup if it was killed while copying them', async () => {
    const keys = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => source.addFile(letter.repeat(300_000))),
    );
    const proxy = await createFaultyProxy(source.env.S3_ENDPOINT ?? '', { bytesPerSecond: 500_000 });
    const killed = startBackup({ ...source.env, S3_ENDPOINT: proxy.url }, backupArgs());
    const isCopied = (key: string) =>
      incompleteNames().some((name) => existsSync(join(pathOf(name), 'objects', key)) && sizeOf(name, key) === 300_000);
    await waitFor(() => keys.some(isCopied), { description: 'one of the files' });
    killed.signal('SIGKILL');
    await killed.ended;
    await proxy.close();
    const [name = ''] = incompleteNames();
    const savedFiles = keys.filter(isCopied).map((key) => ({ key, inode: inodeOf(pathOf(name), key) }));
    const backup = await waitFor(() => backups.make(source.installation), { description: 'the next backup' });
    await assertComplete(backup);
    expect(savedFiles.map(({ key }) => ({ key, inode: inodeOf(backup.folder, key) }))).toEqual(savedFiles);
    expect(incompleteNames()).toEqual([]);
  });
});
