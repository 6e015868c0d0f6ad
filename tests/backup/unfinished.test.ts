import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { layLine } from '@atrium/test-kit/lay-line';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBackup } from './program.ts';
import { openBackups, openEmptyPlace, openFilledPlace, type TestPlace } from './test-place.ts';

const backups = openBackups();
let source: TestPlace;
const backUp = () => ['backup', '--to', backups.path];

beforeAll(async () => {
  source = await openFilledPlace();
  await source.addFile('x'.repeat(100_000));
});
afterAll(async () => {
  backups.remove();
  await source.place.close();
});

describe('a backup that does not come to its end', () => {
  it('leaves nothing behind where the object store fails, and nothing else is touched', async () => {
    await backups.make(source.place);
    // Whatever else somebody keeps here, also what looks like a backup that is being carried here.
    for (const name of ['2026-11-20T01-00-00Z', 'of somebody else']) mkdirSync(join(backups.path, name));
    const before = backups.names();
    const bucket = `${source.place.bucket}-is-away`;
    await source.addFile('in no earlier backup');
    await expect(backups.make({ ...source.place, bucket })).rejects.toThrow('bucket does not exist');
    expect(backups.names()).toEqual(before);
  });

  it('leaves nothing behind where a database has no schema though its service was at work', async () => {
    const before = backups.names();
    const { place } = await openEmptyPlace();
    const databases = { ...source.place.databases, users: place.databases.users };
    await expect(backups.make({ ...source.place, databases })).rejects.toThrow('The database of users has no schema.');
    expect(backups.names()).toEqual(before);
    await place.close();
  });

  it('leaves nothing behind where the disk takes no more', async () => {
    const before = backups.names();
    await source.addFile('y'.repeat(100_000));
    const { code, said } = await startBackup(source.env, backUp(), { fileLimit: 16 }).ended;
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('EFBIG') });
    expect(backups.names()).toEqual(before);
  });

  it('is removed by the next one where it was killed', async () => {
    const before = backups.names();
    const line = await layLine(source.env.NATS_URL ?? '', { delayMs: 300 });
    const killed = startBackup({ ...source.env, NATS_URL: line.url }, backUp());
    const left = () => backups.names().filter((name) => !before.includes(name));
    await waitFor(() => left().length > 0, { what: 'it to begin' });
    killed.signal('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    await line.close();
    const [broken = ''] = left();
    expect(broken).toMatch(/Z\.partial$/);
    // Its connection is gone when the server has noticed.
    const { folder } = await waitFor(() => backups.make(source.place), { what: 'the next one' });
    expect(left()).toEqual([folder.slice(backups.path.length + 1)]);
    expect(backups.said()).toContain(`Removed ${broken}`);
  });
});
