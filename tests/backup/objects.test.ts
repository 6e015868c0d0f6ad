import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { measure } from '@atrium/tools/backup/files';
import { connectInstallation, readWhereabouts } from '@atrium/tools/backup/installation/installation';
import type { Made } from '@atrium/tools/backup/make-backup';
import { readList } from '@atrium/tools/backup/objects/dump-objects';
import { loadObjects } from '@atrium/tools/backup/objects/load-objects';
import { findFaults } from '@atrium/tools/backup/verify-backup';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBackups, openEmptyPlace, openFilledPlace, type TestPlace } from './test-installation.ts';

const WHOLE = { parts: [], files: new Map() };
const backups = openBackups();
let source: TestPlace;
const fileOf = ({ folder }: Made, key: string) => join(folder, 'objects', key);

beforeAll(async () => {
  source = await openFilledPlace();
});
afterAll(async () => {
  backups.remove();
  await source.place.close();
});

describe('files of a backup', () => {
  it('are links to those of the one before, but for what was damaged there: that is copied anew, and said', async () => {
    const add = (content: string) => source.addFile(content);
    const [whole, changed, short] = [await add('whole'), await add('changed'), await add('short')];
    const first = await backups.make(source.place);
    writeFileSync(fileOf(first, changed), 'chanced');
    writeFileSync(fileOf(first, short), 'sh');
    const second = await backups.make(source.place);
    expect(statSync(fileOf(second, whole)).ino).toBe(statSync(fileOf(first, whole)).ino);
    expect(await findFaults(second.folder, second.manifest)).toEqual(WHOLE);
    expect(backups.said()).toContain(`2 files of ${first.folder} are damaged`);
    // It is somebody's evidence.
    expect(readFileSync(fileOf(first, changed), 'utf8')).toBe('chanced');
  });

  it('are those of messages, too, of which none is removed meanwhile', async () => {
    const key = await source.addAttachment('said with a file');
    const { folder, manifest } = await backups.make(source.place);
    expect(readFileSync(join(folder, 'objects', key), 'utf8')).toBe('said with a file');
    expect(await findFaults(folder, manifest)).toEqual(WHOLE);
  });

  it('are all copied anew where the list of those before is damaged', async () => {
    const { folder, manifest } = await backups.make(source.place);
    const list = join(folder, manifest.objects.file);
    writeFileSync(list, readFileSync(list).subarray(0, -9));
    const next = await backups.make(source.place);
    expect(await findFaults(next.folder, next.manifest)).toEqual(WHOLE);
    expect(backups.said()).toContain(`${folder} is damaged, so every file is copied anew: objects.jsonl.gz`);
  });

  it('are copied by a line that breaks now and then', async () => {
    for (let file = 0; file < 8; file += 1) await source.addFile(`${file}`.repeat(100_000));
    const line = await createFaultyProxy(source.env.S3_ENDPOINT ?? '', {
      resets: { share: 0.5, withinBytes: 100_000 },
    });
    const place = await connectInstallation(readWhereabouts({ ...source.env, S3_ENDPOINT: line.url }));
    try {
      const { folder, manifest } = await backups.make(place);
      expect(manifest.objects.missing).toEqual([]);
      expect(await findFaults(folder, manifest)).toEqual(WHOLE);
    } finally {
      await place.close();
      await line.close();
    }
  });

  it('are restored by a line that breaks now and then, and is cut for a while', async () => {
    for (let file = 0; file < 8; file += 1) await source.addFile(`more ${file}`.repeat(1_000));
    const { folder, manifest } = await backups.make(source.place);
    const target = await openEmptyPlace();
    const line = await createFaultyProxy(source.env.S3_ENDPOINT ?? '', { resets: { share: 0.5, withinBytes: 500 } });
    const place = await connectInstallation(readWhereabouts({ ...target.env, S3_ENDPOINT: line.url }));
    try {
      line.cut();
      setTimeout(line.mend, 2_000);
      await loadObjects({ folder, place, kept: manifest.objects, say: () => undefined });
      for await (const { key, size, sha256 } of readList(folder, manifest.objects))
        expect(await measure(await target.place.objects.getObject(target.place.bucket, key))).toEqual({
          bytes: size,
          sha256,
        });
    } finally {
      await Promise.all([place.close(), target.place.close()]);
      await line.close();
    }
  });

  it('fail a restore where they are read otherwise than they were kept', async () => {
    const key = await source.addFile('as it was');
    const { folder, manifest } = await backups.make(source.place);
    writeFileSync(join(folder, 'objects', key), 'as it is!');
    const target = await openEmptyPlace();
    try {
      const load = { folder, place: target.place, kept: manifest.objects, say: () => undefined };
      await expect(loadObjects(load)).rejects.toThrow(`The object ${key}`);
    } finally {
      await target.place.close();
    }
  });
});
