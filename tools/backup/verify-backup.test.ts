import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keep, keepAsIs } from './files.ts';
import { type Manifest, readManifest, writeManifest } from './manifest.ts';
import { findFaults, listFaults } from './verify-backup.ts';

const AT = '2026-11-23T01:00:00.000Z';
const KEY = 'documents/a/b';

describe('a backup that is looked at again', () => {
  let folder: string;
  let manifest: Manifest;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-verified-'));
    const lines = async (file: string, ...all: string[]) =>
      keep(
        folder,
        file,
        (async function* () {
          yield* all;
        })(),
      );
    const { bytes: size, sha256 } = await keepAsIs(
      folder,
      `objects/${KEY}`,
      (async function* () {
        yield 'the bytes';
      })(),
    );
    const object = { key: KEY, size, sha256 };
    manifest = {
      format: 1,
      atrium: '0.9.0',
      prefix: 'atrium',
      cut: { at: AT, heldMs: 3, attempts: 1 },
      finishedAt: AT,
      databases: {},
      streams: [],
      collections: [
        { name: 'mails', documents: 2, ...(await lines('mongo/mails.jsonl.gz', '{"a":1}\n', '{"a":2}\n')) },
      ],
      objects: { count: 1, size, missing: [], ...(await lines('objects.jsonl.gz', `${JSON.stringify(object)}\n`)) },
    };
    await writeManifest(folder, manifest);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const faults = async () => listFaults(await findFaults(folder, await readManifest(folder)));

  it('is whole as it was made', async () => {
    expect(await faults()).toEqual([]);
    expect(await readManifest(folder)).toEqual(manifest);
  });

  it('is told apart by one letter, by a file that is not there, and by one that is no archive', async () => {
    const file = join(folder, 'mongo/mails.jsonl.gz');
    const text = gunzipSync(readFileSync(file)).toString();
    writeFileSync(file, gzipSync(text.replace('2', '3')));
    expect(await faults()).toEqual(['mongo/mails.jsonl.gz has another SHA-256 than its manifest says']);
    writeFileSync(file, text);
    expect(await faults()).toEqual([expect.stringContaining('mongo/mails.jsonl.gz cannot be read')]);
    rmSync(file);
    expect(await faults()).toEqual([expect.stringContaining('mongo/mails.jsonl.gz cannot be read')]);
  });

  it('is told apart where a file ends too early', async () => {
    const file = join(folder, 'mongo/mails.jsonl.gz');
    writeFileSync(file, readFileSync(file).subarray(0, -9));
    expect(await faults()).toEqual([expect.stringContaining('unexpected end of file')]);
  });

  it('is told apart by the bytes of a file of somebody', async () => {
    writeFileSync(join(folder, 'objects', KEY), 'the bits!');
    expect(await faults()).toEqual([`objects/${KEY} has another SHA-256 than its manifest says`]);
    writeFileSync(join(folder, 'objects', KEY), 'the');
    expect(await faults()).toEqual([`objects/${KEY} has 3 bytes and should have 9`]);
  });

  it('is none where its manifest is missing or says something else', async () => {
    const file = join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify({ ...manifest, format: 2 }));
    await expect(readManifest(folder)).rejects.toThrow('cannot be read');
    writeFileSync(file, '{"format":');
    await expect(readManifest(folder)).rejects.toThrow('cannot be read');
    rmSync(file);
    await expect(readManifest(folder)).rejects.toThrow('broken off');
  });
});
