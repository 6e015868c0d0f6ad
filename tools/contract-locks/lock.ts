import { readFileSync, writeFileSync } from 'node:fs';
import { canonicalJson } from './canonical.ts';
import type { Released } from './released.ts';

const fileOf = (kind: keyof Released) => new URL(`./${kind}.lock.json`, import.meta.url);

const KINDS = ['migrations', 'events', 'calls'] as const;

/** The released contracts in the lock files. */
export function readLock(): Released {
  const [migrations, events, calls] = KINDS.map((kind) => JSON.parse(readFileSync(fileOf(kind), 'utf8')));
  return { migrations, events, calls };
}

/** Marks all current contracts as released. */
export function writeLock(now: Released): void {
  for (const kind of KINDS) writeFileSync(fileOf(kind), canonicalJson(now[kind]));
}
