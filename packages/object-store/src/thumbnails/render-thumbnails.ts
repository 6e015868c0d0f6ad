import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { openSource, type WorkerLimits } from '@atrium/file-worker/open-source';
import { runWorker } from '@atrium/file-worker/run-worker';
import { EXIT, type RenderedImage, type RenderResult } from './rendered-images.ts';

const MIB = 1024 * 1024;

/** A photo of 48 megapixels takes 130 MB, a progressive one 260. */
const LIMITS: WorkerLimits = { memoryBytes: 384 * MIB, timeMs: 30_000, fileBytes: 256 * MIB };

const WORKER = fileURLToPath(new URL('./worker/main.ts', import.meta.url));

/** Most of the worker's memory is native, used by libvips. */
const PROGRAM = { path: WORKER, args: [], heapBytes: 64 * MIB, isNative: true };

/** Limits both images with their dimensions; two million pixels of noise are 3 MB. */
const MAX_OUTPUT_BYTES = 64 * MIB;

/**
 * Renders in a separate process, because the image is untrusted. Always reads or destroys the stream. Rejects only on
 * failures that can be retried: if the source fails, `signal` aborts, or a worker cannot be started or is killed.
 */
export async function renderThumbnails(
  source: Readable,
  signal: AbortSignal,
  limitOverrides: Partial<WorkerLimits> = {},
): Promise<RenderResult> {
  const limits = { ...LIMITS, ...limitOverrides };
  try {
    await using file = await openSource(source, limits, signal);
    if (file.bytes > limits.fileBytes) return { failed: 'too-large' };
    const end = await runWorker({ program: PROGRAM, file, limits, maxOutputBytes: MAX_OUTPUT_BYTES, signal });
    if (end.by !== 'exit') return { failed: end.by === 'unknown' ? 'damaged' : end.by };
    if (end.code === EXIT.damaged) return { failed: 'damaged' };
    if (end.code === EXIT['too-large']) return { failed: 'too-large' };
    if (end.code !== EXIT.rendered) throw new Error(`A thumbnail worker exited with ${end.code}`);
    return parseOutput(end.written);
  } finally {
    source.destroy();
  }
}

type ImageHead = { width: number; height: number; length: number };

/** Malformed output means that the image has compromised the worker. */
function parseOutput(written: Buffer): RenderResult {
  const end = written.indexOf('\n');
  const heads = parseHeads(written.subarray(0, Math.max(0, end)));
  if (!heads) return { failed: 'damaged' };
  const [small, large] = heads;
  const smallStart = end + 1;
  const largeStart = smallStart + small.length;
  const sliceImage = ({ width, height, length }: ImageHead, start: number): RenderedImage => ({
    width,
    height,
    bytes: written.subarray(start, start + length),
  });
  if (largeStart + large.length !== written.length) return { failed: 'damaged' };
  return { small: sliceImage(small, smallStart), large: sliceImage(large, largeStart) };
}

function parseHeads(line: Buffer): [ImageHead, ImageHead] | undefined {
  try {
    const [small, large, ...rest] = JSON.parse(line.toString()) as unknown[];
    return rest.length === 0 && isImageHead(small) && isImageHead(large) ? [small, large] : undefined;
  } catch {
    return undefined;
  }
}

const isSize = (value: unknown) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_OUTPUT_BYTES;
const isImageHead = (value: unknown): value is ImageHead =>
  typeof value === 'object' &&
  value !== null &&
  ['width', 'height', 'length'].every((name) => isSize((value as Record<string, unknown>)[name]));
