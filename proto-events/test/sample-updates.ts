import { readdirSync, readFileSync } from 'node:fs';
import { subjectOf } from '../src/event.ts';
import { FANOUT } from '../src/live-updates/fanout.ts';
import type { LiveUpdate } from '../src/live-updates/live-update.ts';
import type { Change } from '../src/realtime.ts';

const FOLDER = new URL('../fixtures/', import.meta.url);
const FILES = readdirSync(FOLDER);

export type Data = Record<string, unknown>;

export const readSample = (file: string): Data => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).data;

/** The updates of a sample of an event, with other data. */
export function toUpdates(type: string, overrides: Data = {}, sample = `${type}.v1.json`): readonly LiveUpdate[] {
  const row = FANOUT.find(({ event }) => event.type === type);
  if (!row) throw new Error(`No row for ${type}`);
  return row.toUpdates({ ...readSample(sample), ...overrides });
}

export const toChanges = (...params: Parameters<typeof toUpdates>): Change[] =>
  toUpdates(...params).map(({ change }) => change);

/** The updates of all samples of all events. */
export const SAMPLE_UPDATES = FANOUT.flatMap((row) => {
  const subject = subjectOf(row.event);
  return FILES.filter((file) => file.startsWith(`${subject}.`)).flatMap((file) =>
    row.toUpdates(readSample(file)).map((update) => ({ subject, ...update })),
  );
});

/** A made-up id. */
export const idOf = (letter: string) => letter.repeat(24);
