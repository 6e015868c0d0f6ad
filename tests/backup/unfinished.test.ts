import { copyFileSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { type Made, removeOld } from '@atrium/tools/backup/make-backup';
import { listBackups, newName, readManifest } from '@atrium/tools/backup/manifest';
import { findFaults } from '@atrium/tools/backup/verify-backup';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBackup } from './program.ts';
import { openBackups, openEmptyPlace, openFilledPlace, type TestPlace } from './test-installation.ts';

const backups = openBackups();
let source: TestPlace;
const backUp = () => ['backup', '--to', backups.path];
const inodeOf = (folder: string, key: string) => statSync(join(folder, 'objects', key)).ino;
const broken = () => backups.names().filter((name) => name.endsWith('.partial'));
const sizeOf = (name: string, key: string) => statSync(join(pathOf(name), 'objects', key)).size;
const pathOf = (name: string) => join(backups.path, name);

beforeAll(async () => {
  source = await openFilledPlace();
  await source.addFile('x'.repeat(100_000));
});
afterAll(async () => {
  backups.remove();
  await source.place.close();
});

/** One whose disk does not take its last file any more. */
const fillTheDisk = async () => {
  const key = await source.addFile('y'.repeat(200_000));
  const { code, said } = await startBackup(source.env, backUp(), { fileLimit: 256 }).ended;
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('EFBIG') });
  return key;
};

const isWhole = async ({ folder, manifest }: Made) =>
  expect(await findFaults(folder, manifest)).toEqual({ parts: [], files: new Map() });

describe('a backup that does not come to its end', () => {
  it('leaves nothing behind where it has no files yet, and nothing else is touched', async () => {
    // Whatever else somebody keeps here, also what looks like a backup that is being carried here.
    for (const name of ['2026-11-20T01-00-00Z', 'of somebody else', 'else.partial']) mkdirSync(pathOf(name));
    const before = backups.names();
    const { place } = await openEmptyPlace();
    const databases = { ...source.place.databases, users: place.databases.users };
    await expect(backups.make({ ...source.place, databases })).rejects.toThrow('The database of users has no schema.');
    expect(backups.names()).toEqual(before);
    await place.close();
    rmdirSync(pathOf('else.partial'));
  });

  it('leaves its files of people to the next one, however often it breaks off, but for what is not whole', async () => {
    const [whole, short] = [await source.addFile('whole'), await source.addFile('short')];
    const halfWritten = await fillTheDisk();
    const [first = ''] = broken();
    expect(readdirSync(pathOf(first))).toEqual(['objects']);
    const inode = inodeOf(pathOf(first), whole);
    truncateSync(join(pathOf(first), 'objects', short), 2);
    await waitFor(() => !first.startsWith(newName()), { what: 'the next second' });
    await fillTheDisk();
    expect(broken()).toHaveLength(2);

    const made = await backups.make(source.place);
    await isWhole(made);
    expect(inodeOf(made.folder, whole)).toBe(inode);
    expect(statSync(join(made.folder, 'objects', halfWritten)).size).toBe(200_000);
    expect(backups.said()).toMatch(/ {2}\d files were there from a backup that was broken off/);
    expect(broken()).toEqual([]);
  });

  it('counts as none, also where all but its name is there', async () => {
    const made = await backups.make(source.place);
    await fillTheDisk();
    const [name = ''] = broken();
    await expect(readManifest(pathOf(name))).rejects.toThrow('broken off');
    copyFileSync(join(made.folder, 'manifest.json'), join(pathOf(name), 'manifest.json'));
    await expect(readManifest(pathOf(name))).rejects.toThrow('broken off');
    expect((await listBackups(backups.path)).findLast(({ isWhole }) => isWhole)?.name).toBe(basename(made.folder));
    const { code, said } = await startBackup(source.env, ['restore', '--from', pathOf(name)]).ended;
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('broken off') });
    expect(await removeOld(backups.path, 1)).not.toContain(basename(made.folder));
    await isWhole(await backups.make(source.place));
  });

  it('is removed by the next one where it was killed before it had files', async () => {
    const before = backups.names();
    const line = await createFaultyProxy(source.env.NATS_URL ?? '', { delayMs: 300 });
    const killed = startBackup({ ...source.env, NATS_URL: line.url }, backUp());
    await waitFor(() => broken().length > 0, { what: 'it to begin' });
    killed.signal('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    await line.close();
    const [name = ''] = broken();
    // Its connection is gone when the server has noticed.
    const made = await waitFor(() => backups.make(source.place), { what: 'the next one' });
    expect(backups.names().filter((one) => !before.includes(one))).toEqual([basename(made.folder)]);
    expect(backups.said()).toContain(`Removed ${name}`);
  });

  it('leaves its files to the next one where it was killed among them', async () => {
    const keys = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => source.addFile(one.repeat(300_000))));
    const line = await createFaultyProxy(source.env.S3_ENDPOINT ?? '', { bytesPerSecond: 500_000 });
    const killed = startBackup({ ...source.env, S3_ENDPOINT: line.url }, backUp());
    const has = (key: string) =>
      broken().some((name) => existsSync(join(pathOf(name), 'objects', key)) && sizeOf(name, key) === 300_000);
    await waitFor(() => keys.some(has), { what: 'one of them' });
    killed.signal('SIGKILL');
    await killed.ended;
    await line.close();
    const [name = ''] = broken();
    const kept = keys.filter(has).map((key) => ({ key, inode: inodeOf(pathOf(name), key) }));
    const made = await waitFor(() => backups.make(source.place), { what: 'the next one' });
    await isWhole(made);
    expect(kept.map(({ key }) => ({ key, inode: inodeOf(made.folder, key) }))).toEqual(kept);
    expect(broken()).toEqual([]);
  });
});
