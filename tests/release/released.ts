import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchema } from '@atrium/gateway/openapi/json-schema';
import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { directoryDepartment, directoryUser } from '@atrium/proto-events/people';
import { directoryProject } from '@atrium/proto-events/project-directory';
import { type Call, findCallBreaks, presentCalls } from './calls.ts';
import { hashOf, withoutWords } from './canonical.ts';
import { findSchemaBreaks } from './schema-breaks.ts';
import type { JsonSchema } from './schema-variants.ts';

/** What others hold us to once it is released. */
export type Released = {
  /** SHA-256 of each file, by its path. */
  migrations: Record<string, string>;
  /** What the pods of all versions write and read: the data of each event with the hash of its sample, and the values of buckets. */
  events: Record<string, { data: JsonSchema; sample?: string }>;
  calls: Record<string, Call>;
};

const FIXTURES = 'proto-events/fixtures';

/** What the checkout at `root` has; schemas are those of this process. */
export function presentState(root: string): Released {
  return { migrations: migrationsIn(root), events: { ...eventsIn(root), ...VALUES }, calls: presentCalls() };
}

function migrationsIn(root: string): Record<string, string> {
  const services = readdirSync(join(root, 'services')).map((name) => `services/${name}/migrations`);
  const folders = ['packages/service-kit/migrations', ...services].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`));
  return Object.fromEntries(files.map((file) => [file, hashOf(readFileSync(join(root, file)))]));
}

function eventsIn(root: string): Released['events'] {
  const samples = new Set(readdirSync(join(root, FIXTURES)));
  return Object.fromEntries(
    ALL_EVENTS.map((event) => {
      const subject = subjectOf(event);
      const sample = `${subject}.json`;
      const hash = samples.has(sample) ? { sample: hashOf(readFileSync(join(root, FIXTURES, sample))) } : {};
      return [subject, { data: withoutWords(jsonSchema(event.data, 'input')), ...hash }];
    }),
  );
}

const VALUES: Released['events'] = Object.fromEntries(
  Object.entries({
    'the envelope of events': envelope,
    'directory user': directoryUser,
    'directory department': directoryDepartment,
    'projects project': directoryProject,
  }).map(([name, schema]) => [name, { data: withoutWords(jsonSchema(schema, 'input')) }]),
);

/** What to do in place of a change, by kind. */
const INSTEAD = {
  migrations: 'Databases have run it. Leave it as it was released and add a file with a higher number.',
  events:
    'Pods of both versions and a month of kept events have it. Add an optional field, or a new version beside it.',
  calls: 'Clients of before make it. Add an optional field, a value that they may leave out, or a new call beside it.',
} as const;

/** Everything released that `now` breaks, each a sentence that ends with what to do instead. */
export function findReleaseBreaks(released: Released, now: Released): string[] {
  const told = (kind: keyof Released, breaks: string[]) => breaks.map((text) => `${text}. ${INSTEAD[kind]}`);
  return [
    ...told('migrations', migrationBreaks(released.migrations, now.migrations)),
    ...told(
      'events',
      Object.entries(released.events).flatMap(([name, event]) => eventBreaks(name, event, now)),
    ),
    ...told(
      'calls',
      Object.entries(released.calls).flatMap(([name, call]) =>
        findCallBreaks(call, now.calls[name]).map((text) => `${name}: ${text}`),
      ),
    ),
  ];
}

function migrationBreaks(released: Released['migrations'], now: Released['migrations']): string[] {
  const changed = Object.entries(released).flatMap(([file, hash]) => {
    if (now[file] === hash) return [];
    return [`${file}: ${now[file] === undefined ? 'is gone' : 'is another one now'}`];
  });
  const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));
  const early = Object.keys(now).filter(
    (file) =>
      !(file in released) && Object.keys(released).some((other) => folderOf(other) === folderOf(file) && other > file),
  );
  return [...changed, ...early.map((file) => `${file}: comes before one that is released`)];
}

function eventBreaks(name: string, { data, sample }: Released['events'][string], { events }: Released): string[] {
  const event = events[name];
  if (!event) return [`${name}: is gone`];
  const isOther = sample !== undefined && event.sample !== sample;
  return [
    ...(isOther ? [`${name}: its sample is ${event.sample === undefined ? 'gone' : 'another one now'}`] : []),
    ...findSchemaBreaks(data, event.data, 'shared', 'data').map((text) => `${name}: ${text}`),
  ];
}
