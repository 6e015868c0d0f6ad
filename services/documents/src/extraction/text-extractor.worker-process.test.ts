import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WorkerKilled } from '@atrium/file-worker/run-worker';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndlessStream, createStalledStream } from '../../test/files/make-hostile.ts';
import { makePdf } from '../../test/files/make-pdf.ts';
import { findWorkers, waitForExit, waitForWorker } from '../../test/files/workers.ts';
import { createTextExtractor } from './text-extractor.ts';

const PDF = 'application/pdf';
const PROGRAM = fileURLToPath(new URL('../../test/files/extract-file.ts', import.meta.url));

const makePages = (count: number) => makePdf(Array.from({ length: count }, (_, at) => [`Page ${at}`]));

/** Takes seconds to read, which is long enough to inspect the worker. */
const longFile = makePages(5_000);
const openLongFile = () => Readable.from([longFile]);

describe('a text extraction worker', () => {
  it('has no environment, the lowest priority, and is killed first when memory runs out', async () => {
    const extractor = createTextExtractor({ concurrency: 1 });
    const extraction = extractor.extract(openLongFile(), { type: PDF });
    const worker = await waitForWorker(process.pid);
    // The shell adds this variable.
    expect((await readFile(`/proc/${worker}/environ`, 'utf8')).split('\0').filter(Boolean)).toEqual(['PWD=/']);
    expect(getPriority(worker)).toBe(19);
    expect(await readFile(`/proc/${worker}/oom_score_adj`, 'utf8')).toBe('1000\n');
    extractor.close();
    await expect(extraction).rejects.toThrow('Text extraction stopped');
    await waitForExit(worker);
    await expect(extractor.extract(openLongFile(), { type: PDF })).rejects.toThrow('Text extraction stopped');
  });

  it('yields no result when it is killed from outside', async () => {
    const extractor = createTextExtractor({ concurrency: 1 });
    const extraction = extractor.extract(openLongFile(), { type: PDF });
    process.kill(await waitForWorker(process.pid), 'SIGKILL');
    await expect(extraction).rejects.toThrow(WorkerKilled);
  });

  it('waits until fewer workers run than the limit', async () => {
    const extractor = createTextExtractor({ concurrency: 2 });
    const shortFile = makePages(100);
    const extractions = Array.from({ length: 4 }, () => extractor.extract(Readable.from([shortFile]), { type: PDF }));
    let maxWorkers = 0;
    const watch = setInterval(
      () =>
        void findWorkers(process.pid).then((workers) => {
          maxWorkers = Math.max(maxWorkers, workers.length);
        }),
      5,
    );
    expect(await extractor.extract(Readable.from(['after them']), { type: 'text/plain' })).toMatchObject({
      state: 'text',
    });
    await Promise.all(extractions);
    clearInterval(watch);
    expect(maxWorkers).toBe(2);
  });
});

describe('a text extraction worker whose service is killed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-extract-test-'));
    await writeFile(join(folder, 'long.pdf'), longFile);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('exits', async () => {
    const service = spawn(process.execPath, [PROGRAM, join(folder, 'long.pdf'), PDF], { stdio: 'ignore' });
    const worker = await waitForWorker(service.pid);
    service.kill('SIGKILL');
    await once(service, 'exit');
    await waitForExit(worker);
  });
});

describe('the source of a text extraction', () => {
  const extractor = createTextExtractor({ concurrency: 1, limits: { timeMs: 300 } });
  afterAll(() => extractor.close());

  it('yields no result when it fails', async () => {
    const source = new Readable({
      read() {
        this.destroy(new Error('store unavailable'));
      },
    });
    await expect(extractor.extract(source, { type: PDF })).rejects.toThrow('store unavailable');
  });

  it('is destroyed when it stalls', async () => {
    const source = createStalledStream();
    await expect(extractor.extract(source, { type: PDF })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(source.destroyed).toBe(true);
  });

  it('is not read for an unsupported type', async () => {
    const source = createEndlessStream();
    expect(await extractor.extract(source, { type: 'image/png' })).toEqual({ state: 'unsupported' });
    expect(source.destroyed).toBe(true);
  });
});
