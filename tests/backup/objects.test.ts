import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { measure } from '@atrium/tools/backup/files';
import { connectInstallation, readInstallationConfig } from '@atrium/tools/backup/installation/installation';
import type { CompletedBackup } from '@atrium/tools/backup/make-backup';
import { readObjectList } from '@atrium/tools/backup/objects/dump-objects';
import { loadObjects } from '@atrium/tools/backup/objects/load-objects';
import { findErrors } from '@atrium/tools/backup/verify-backup';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createBackupFolder,
  createEmptyInstallation,
  createFilledInstallation,
  type TestInstallation,
} from './test-installation.ts';

const NO_ERRORS = { parts: [], files: new Map() };
const backups = createBackupFolder();
let source: TestInstallation;
const fileOf = ({ folder }: CompletedBackup, key: string) => join(folder, 'objects', key);

beforeAll(async () => {
  source = await createFilledInstallation();
});
afterAll(async () => {
  backups.remove();
  await source.installation.close();
});

describe('files of a backup', () => {
  it('are hard links to the previous backup, except for damaged files, which are reported and copied again', async () => {
    const add = (content: string) => source.addFile(content);
    const intactKey = await add('whole');
    const changedKey = await add('changed');
    const truncatedKey = await add('short');
    const first = await backups.make(source.installation);
    writeFileSync(fileOf(first, changedKey), 'chanced');
    writeFileSync(fileOf(first, truncatedKey), 'sh');
    const second = await backups.make(source.installation);
    expect(statSync(fileOf(second, intactKey)).ino).toBe(statSync(fileOf(first, intactKey)).ino);
    expect(await findErrors(second.folder, second.manifest)).toEqual(NO_ERRORS);
    expect(backups.output()).toContain(`2 files of ${first.folder} are damaged`);
    // The damaged file is kept for inspection.
    expect(readFileSync(fileOf(first, changedKey), 'utf8')).toBe('chanced');
  });

  it('include attachments of messages', async () => {
    const key = await source.addAttachment('attached to a message');
    const { folder, manifest } = await backups.make(source.installation);
    expect(readFileSync(join(folder, 'objects', key), 'utf8')).toBe('attached to a message');
    expect(await findErrors(folder, manifest)).toEqual(NO_ERRORS);
  });

  it('are all copied again if the file list of the previous backup is damaged', async () => {
    const { folder, manifest } = await backups.make(source.installation);
    const list = join(folder, manifest.objects.file);
    writeFileSync(list, readFileSync(list).subarray(0, -9));
    const next = await backups.make(source.installation);
    expect(await findErrors(next.folder, next.manifest)).toEqual(NO_ERRORS);
    expect(backups.output()).toContain(
      `${folder} is damaged, so every file is copied again: Failed to read objects.jsonl.gz`,
    );
  });

  it('are copied over an unreliable connection', async () => {
    for (let file = 0; file < 8; file += 1) await source.addFile(`${file}`.repeat(100_000));
    const proxy = await createFaultyProxy(source.env.S3_ENDPOINT ?? '', {
      resets: { share: 0.5, withinBytes: 100_000 },
    });
    const installation = await connectInstallation(readInstallationConfig({ ...source.env, S3_ENDPOINT: proxy.url }));
    try {
      const { folder, manifest } = await backups.make(installation);
      expect(manifest.objects.missing).toEqual([]);
      expect(await findErrors(folder, manifest)).toEqual(NO_ERRORS);
    } finally {
      await installation.close();
      await proxy.close();
    }
  });

  it('are restored over an unreliable connection with an outage', async () => {
    for (let file = 0; file < 8; file += 1) await source.addFile(`more ${file}`.repeat(1_000));
    const { folder, manifest } = await backups.make(source.installation);
    const target = await createEmptyInstallation();
    const proxy = await createFaultyProxy(source.env.S3_ENDPOINT ?? '', { resets: { share: 0.5, withinBytes: 500 } });
    const installation = await connectInstallation(readInstallationConfig({ ...target.env, S3_ENDPOINT: proxy.url }));
    try {
      proxy.cut();
      setTimeout(proxy.restore, 2_000);
      await loadObjects({ folder, installation, entry: manifest.objects, print: () => undefined });
      for await (const { key, size, sha256 } of readObjectList(folder, manifest.objects))
        expect(await measure(await target.installation.objects.getObject(target.installation.bucket, key))).toEqual({
          bytes: size,
          sha256,
        });
    } finally {
      await Promise.all([installation.close(), target.installation.close()]);
      await proxy.close();
    }
  });

  it('fail a restore if their content has changed', async () => {
    const key = await source.addFile('original');
    const { folder, manifest } = await backups.make(source.installation);
    writeFileSync(join(folder, 'objects', key), 'modified');
    const target = await createEmptyInstallation();
    try {
      const load = { folder, installation: target.installation, entry: manifest.objects, print: () => undefined };
      await expect(loadObjects(load)).rejects.toThrow(`The object ${key}`);
    } finally {
      await target.installation.close();
    }
  });
});
