import { fileURLToPath } from 'node:url';
import type { OpenFile } from '@atrium/file-worker/open-source';
import { runWorker as runFileWorker, type WorkerEnd } from '@atrium/file-worker/run-worker';
import { EXIT, type Extraction, type ExtractionFailureReason, type Limits } from './extraction.ts';
import type { FileKind } from './file-kind.ts';

const WORKER = fileURLToPath(new URL('./worker/main.ts', import.meta.url));

export type WorkerTask = { kind: FileKind; file: OpenFile; limits: Limits; signal: AbortSignal };

/** Extracts text in a separate process, which has exited when this returns. */
export async function runWorker({ kind, file, limits, signal }: WorkerTask): Promise<Extraction> {
  const program = { path: WORKER, args: [kind, String(limits.characters)] };
  // UTF-8 takes at most three bytes per UTF-16 unit, and NFC at most triples the units.
  return toExtraction(await runFileWorker({ program, file, limits, maxOutputBytes: 9 * limits.characters, signal }));
}

function toExtraction(end: WorkerEnd): Extraction {
  if (end.by !== 'exit') return failed(end.by === 'unknown' ? 'damaged' : end.by);
  const { code, written } = end;
  switch (code) {
    case EXIT.whole:
    case EXIT.cut: {
      const text = written.toString();
      return text.trim() === '' ? { state: 'empty' } : { state: 'text', text, cut: code === EXIT.cut };
    }
    case EXIT.unsupported:
      return { state: 'unsupported' };
    case EXIT.damaged:
      return failed('damaged');
    case EXIT.encrypted:
      return failed('encrypted');
    case EXIT['too-long']:
      return failed('too-long');
    case EXIT.memory:
      return failed('memory');
    default:
      // A bug in the worker, not a property of the file.
      throw new Error(`Text extraction worker exited with code ${code}`);
  }
}

const failed = (why: ExtractionFailureReason): Extraction => ({ state: 'failed', why });
