import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { findFileKind } from '../../src/extraction/extraction.ts';
import { readFile } from '../../src/extraction/worker/read-file.ts';
import { createTextSink } from '../../src/extraction/worker/text-sink.ts';
import { mutate } from './mutate.ts';

// Runs the worker's code on many corrupted copies of a file in one process, and prints how many could be read, how many could not, and
// which rounds timed out. fuzz.test.ts uses one worker per copy; this allows hundreds.
const [path = '', type = '', rounds = '1', seed = '1'] = process.argv.slice(2);
const TIMEOUT_MS = 20_000;

// A worker would exit; here the round continues and returns its own result.
process.on('unhandledRejection', () => undefined);

const kind = findFileKind(type);
if (!kind) throw new Error(`Nobody reads ${type}`);
const random = createSeededRandom(Number(seed));
const original = readFileSync(path);
const folder = mkdtempSync(join(tmpdir(), 'atrium-fuzz-'));
const outcome = { read: 0, refused: 0, silent: [] as number[] };
for (let round = 0; round < Number(rounds); round += 1) {
  const file = join(folder, 'file');
  const bytes = mutate(original, random);
  writeFileSync(file, bytes);
  const fd = openSync(file, 'r');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, 'late');
  });
  const reading = readFile(kind, { fd, size: bytes.length }, createTextSink(100_000)).then(
    () => 'read' as const,
    () => 'refused' as const,
  );
  const ended = await Promise.race([reading, late]);
  clearTimeout(timer);
  if (ended === 'late') outcome.silent.push(round);
  else outcome[ended] += 1;
  closeSync(fd);
}
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
