import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mutate } from '../../test/files/mutate.ts';
import { samples } from '../../test/files/samples.ts';
import { createTextExtractor } from './text-extractor.ts';

const PROGRAM = fileURLToPath(new URL('../../test/files/fuzz-readers.ts', import.meta.url));
const ROUNDS = 150;
const ROUNDS_IN_WORKERS = 3;

describe('text extraction of corrupted files', () => {
  const extractor = createTextExtractor({ concurrency: 2 });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-fuzz-'));
  });
  afterAll(async () => {
    extractor.close();
    await rm(folder, { recursive: true });
  });

  it.each(samples)('returns a result from a separate worker for each file of type %s', async (_name, file, type) => {
    const random = createSeededRandom(7);
    const copies = Array.from({ length: ROUNDS_IN_WORKERS }, () => mutate(file, random));
    const extractions = await Promise.all(copies.map((copy) => extractor.extract(Readable.from([copy]), { type })));
    expect(['text', 'empty', 'unsupported', 'failed']).toEqual(
      expect.arrayContaining(extractions.map(({ state }) => state)),
    );
    expect(extractions).not.toContainEqual({ state: 'failed', reason: 'time' });
  });

  it.each(samples)(
    `reads or rejects each of ${ROUNDS} files of type %s without a timeout`,
    async (name, file, type) => {
      const path = join(folder, name);
      await writeFile(path, file);
      const program = promisify(execFile)(process.execPath, [PROGRAM, path, type, String(ROUNDS), '11']);
      const { read, rejected, timedOutRounds } = JSON.parse((await program).stdout);
      expect(timedOutRounds).toEqual([]);
      expect(read + rejected).toBe(ROUNDS);
    },
  );
});
