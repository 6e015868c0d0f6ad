import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchema } from '@atrium/gateway/routes/openapi';
import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { directoryDepartment, directoryUser } from '@atrium/proto-events/people';
import { directoryProject } from '@atrium/proto-events/project-directory';
import { ACCEPTED } from './accepted-breaking-changes.ts';
import { type Call, findCallBreaks, listCurrentCalls } from './calls.ts';
import { canonicalJson, sha256, withoutAnnotations } from './canonical.ts';
import { findSchemaBreaks } from './schema-breaks.ts';
import type { JsonSchema } from './schema-variants.ts';

export type Released = {
  /** The SHA-256 of each migration, by its path. */
  migrations: Record<string, string>;
  /** The schemas of data that pods of all versions write and read, with the hash of each event's sample. */
  events: Record<string, { data: JsonSchema; sample?: string }>;
  calls: Record<string, Call>;
};

const FIXTURES = 'proto-events/fixtures';

export function readCurrentContracts(root: string): Released {
  return {
    migrations: readMigrations(root),
    events: { ...readEvents(root), ...SHARED_VALUES },
    calls: listCurrentCalls(),
  };
}

function readMigrations(root: string): Record<string, string> {
  const services = readdirSync(join(root, 'services')).map((name) => `services/${name}/migrations`);
  const folders = ['packages/service-kit/migrations', ...services].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`));
  return Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(root, file)))]));
}

function readEvents(root: string): Released['events'] {
  const samples = new Set(readdirSync(join(root, FIXTURES)));
  return Object.fromEntries(
    ALL_EVENTS.map((event) => {
      const subject = subjectOf(event);
      const sample = `${subject}.json`;
      const hash = samples.has(sample) ? { sample: sha256(readFileSync(join(root, FIXTURES, sample))) } : {};
      return [subject, { data: withoutAnnotations(jsonSchema(event.data, 'input')), ...hash }];
    }),
  );
}

const SHARED_VALUES: Released['events'] = Object.fromEntries(
  Object.entries({
    'the envelope of events': envelope,
    'directory user': directoryUser,
    'directory department': directoryDepartment,
    'projects project': directoryProject,
  }).map(([name, schema]) => [name, { data: withoutAnnotations(jsonSchema(schema, 'input')) }]),
);

const ADVICE = {
  migrations: 'Databases have applied it. Restore the released file and add one with a higher number.',
  events: 'Pods of both versions and a month of stored events use it. Add an optional field or a new version.',
  calls: 'Previous clients call it. Add an optional field, an optional value, or a new call.',
} as const;

export function findReleaseBreaks(released: Released, now: Released): string[] {
  const withAdvice = (kind: keyof Released, breaks: string[]) => breaks.map((text) => `${text}. ${ADVICE[kind]}`);
  return [
    ...withAdvice('migrations', findMigrationBreaks(released.migrations, now.migrations)),
    ...withAdvice(
      'events',
      Object.entries(released.events).flatMap(([name, event]) => findEventBreaks(name, event, now)),
    ),
    ...withAdvice(
      'calls',
      Object.entries(released.calls).flatMap(([name, call]) =>
        findCallBreaks(call, now.calls[name]).map((text) => `${name}: ${text}`),
      ),
    ),
  ];
}

function findMigrationBreaks(released: Released['migrations'], now: Released['migrations']): string[] {
  const changed = Object.entries(released).flatMap(([file, hash]) => {
    if (now[file] === hash) return [];
    return [`${file}: ${now[file] === undefined ? 'was removed' : 'was changed'}`];
  });
  const getFolder = (file: string) => file.slice(0, file.lastIndexOf('/'));
  const misnumbered = Object.keys(now).filter(
    (file) =>
      !(file in released) &&
      Object.keys(released).some((other) => getFolder(other) === getFolder(file) && other > file),
  );
  return [...changed, ...misnumbered.map((file) => `${file}: sorts before a released migration`)];
}

function findEventBreaks(name: string, { data, sample }: Released['events'][string], { events }: Released): string[] {
  const event = events[name];
  if (!event) return [`${name}: was removed`];
  const isSampleChanged = sample !== undefined && event.sample !== sample;
  return [
    ...(isSampleChanged ? [`${name}: its sample was ${event.sample === undefined ? 'removed' : 'changed'}`] : []),
    ...findSchemaBreaks(data, event.data, 'shared', 'data').map((text) => `${name}: ${text}`),
  ];
}

export function checkRelease(
  released: Released,
  now: Released,
  accepted: Readonly<Record<string, string>> = ACCEPTED,
): { broken: string[]; stale: string[] } {
  const breaks = findReleaseBreaks(released, now);
  const isAccepted = (text: string, acceptedText: string) => text.startsWith(`${acceptedText}. `);
  return {
    broken: breaks.filter((text) => !Object.keys(accepted).some((acceptedText) => isAccepted(text, acceptedText))),
    stale: Object.keys(accepted).filter((acceptedText) => !breaks.some((text) => isAccepted(text, acceptedText))),
  };
}

const getSnapshotFile = (kind: keyof Released) => new URL(`./${kind}.snapshot.json`, import.meta.url);

const KINDS = ['migrations', 'events', 'calls'] as const;

export function loadSnapshot(): Released {
  const [migrations, events, calls] = KINDS.map((kind) => JSON.parse(readFileSync(getSnapshotFile(kind), 'utf8')));
  return { migrations, events, calls };
}

export function saveSnapshot(now: Released): void {
  for (const kind of KINDS) writeFileSync(getSnapshotFile(kind), canonicalJson(now[kind]));
}
