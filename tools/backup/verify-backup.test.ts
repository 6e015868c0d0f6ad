import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeCompressed, writeRaw } from './files.ts';
import { type Manifest, readManifest, writeManifest } from './manifest.ts';
import { findErrors, listErrors } from './verify-backup.ts';

const AT = '2026-11-23T01:00:00.000Z';
const KEY = 'documents/a/b';

describe('findErrors', () => {
  let folder: string;
  let manifest: Manifest;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-verified-'));
    const writeLines = async (file: string, ...fileLines: string[]) =>
      writeCompressed(
        folder,
        file,
        (async function* () {
          yield* fileLines;
        })(),
      );
    const { bytes: size, sha256 } = await writeRaw(
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
        { name: 'mails', documents: 2, ...(await writeLines('mongo/mails.jsonl.gz', '{"a":1}\n', '{"a":2}\n')) },
      ],
      objects: {
        count: 1,
        size,
        missing: [],
        ...(await writeLines('objects.jsonl.gz', `${JSON.stringify(object)}\n`)),
      },
    };
    await writeManifest(folder, manifest);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const findListedErrors = async () => listErrors(await findErrors(folder, await readManifest(folder)));

  it('finds no errors in a new backup', async () => {
    expect(await findListedErrors()).toEqual([]);
    expect(await readManifest(folder)).toEqual(manifest);
  });

  it('finds a changed byte, a missing file, and a file that is not an archive', async () => {
    const file = join(folder, 'mongo/mails.jsonl.gz');
    const text = gunzipSync(readFileSync(file)).toString();
    writeFileSync(file, gzipSync(text.replace('2', '3')));
    expect(await findListedErrors()).toEqual(['The SHA-256 of mongo/mails.jsonl.gz does not match the manifest']);
    writeFileSync(file, text);
    expect(await findListedErrors()).toEqual([expect.stringContaining('Failed to read mongo/mails.jsonl.gz')]);
    rmSync(file);
    expect(await findListedErrors()).toEqual([expect.stringContaining('Failed to read mongo/mails.jsonl.gz')]);
  });

  it('finds a truncated file', async () => {
    const file = join(folder, 'mongo/mails.jsonl.gz');
    writeFileSync(file, readFileSync(file).subarray(0, -9));
    expect(await findListedErrors()).toEqual([expect.stringContaining('unexpected end of file')]);
  });

  it('finds damaged user files', async () => {
    writeFileSync(join(folder, 'objects', KEY), 'the bits!');
    expect(await findListedErrors()).toEqual([`The SHA-256 of objects/${KEY} does not match the manifest`]);
    writeFileSync(join(folder, 'objects', KEY), 'the');
    expect(await findListedErrors()).toEqual([`objects/${KEY} has 3 bytes, expected 9`]);
  });

  it('readManifest rejects a folder whose manifest is missing or invalid', async () => {
    const file = join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify({ ...manifest, format: 2 }));
    await expect(readManifest(folder)).rejects.toThrow('Invalid');
    writeFileSync(file, '{"format":');
    await expect(readManifest(folder)).rejects.toThrow('Invalid');
    rmSync(file);
    await expect(readManifest(folder)).rejects.toThrow('not a complete backup');
  });
});
