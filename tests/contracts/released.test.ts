import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeOperation } from '@atrium/gateway/routes/openapi';
import { type Endpoint, endpoint } from '@atrium/proto-events/endpoint';
import { findCallBreaks, toCall } from '@atrium/tools/contract-snapshots/calls';
import { canonicalJson } from '@atrium/tools/contract-snapshots/canonical';
import {
  checkRelease,
  findReleaseBreaks,
  loadSnapshot,
  type Released,
  readCurrentContracts,
} from '@atrium/tools/contract-snapshots/released';
import { findSchemaBreaks } from '@atrium/tools/contract-snapshots/schema-breaks';
import type { JsonSchema } from '@atrium/tools/contract-snapshots/schema-variants';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROOT } from './sources.ts';

const released = loadSnapshot();

describe('the released contracts', () => {
  it('have no breaking changes except accepted ones', () => {
    const { broken, stale } = checkRelease(released, readCurrentContracts(ROOT));
    expect(broken).toEqual([]);
    // Accepted breaking changes are cleared at each release.
    expect(stale).toEqual([]);
  });

  it('contain migrations, events, and calls, in canonical JSON', () => {
    expect(Object.keys(released.migrations).length).toBeGreaterThanOrEqual(8);
    expect(Object.keys(released.events).length).toBeGreaterThanOrEqual(50);
    expect(Object.keys(released.calls).length).toBeGreaterThanOrEqual(92);
    for (const file of readdirSync(new URL('../../tools/contract-snapshots/', import.meta.url)).filter((name) =>
      name.endsWith('.snapshot.json'),
    )) {
      const text = readFileSync(new URL(`../../tools/contract-snapshots/${file}`, import.meta.url), 'utf8');
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }
  });

  it('can have an accepted breaking change, which is reported as stale once it no longer exists', () => {
    const { 'GET /users': removed, ...calls } = released.calls;
    expect(removed).toBeDefined();
    const current = { ...released, calls };
    const accepted = { 'GET /users: was removed': 'No client has called it for a year' };
    expect(checkRelease(released, current, {}).broken).toHaveLength(1);
    expect(checkRelease(released, current, accepted)).toEqual({ broken: [], stale: [] });
    expect(checkRelease(released, released, accepted)).toEqual({ broken: [], stale: Object.keys(accepted) });
  });
});

describe('a change to a released repository', () => {
  let copy: string;
  let before: Released;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'atrium-released-'));
    const isContract = (path: string) => !/node_modules|\/src|\/test/.test(path.slice(ROOT.length));
    for (const folder of ['services', 'packages/service-kit', 'proto-events'])
      cpSync(join(ROOT, folder), join(copy, folder), { recursive: true, filter: isContract });
    before = readCurrentContracts(copy);
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const edit = (file: string) => {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    return {
      append: (suffix: string) => writeFileSync(path, text + suffix),
      remove: () => rmSync(path),
      restore: () => writeFileSync(path, text),
    };
  };
  const findBreaks = () => findReleaseBreaks(before, readCurrentContracts(copy));

  it.each(['services/projects/migrations/0001_projects.sql', 'packages/service-kit/migrations/0001_shared-tables.sql'])(
    'must not change or remove a released migration: %s',
    (file) => {
      const migration = edit(file);
      const advice = 'Databases have applied it. Restore the released file and add one with a higher number.';
      migration.append('-- comment\n');
      expect(findBreaks()).toEqual([`${file}: was changed. ${advice}`]);
      migration.remove();
      expect(findBreaks()).toEqual([`${file}: was removed. ${advice}`]);
      migration.restore();
      expect(findBreaks()).toEqual([]);
    },
  );

  it('must number a new migration after the released ones', () => {
    const addMigration = (number: string) => {
      const file = `services/users/migrations/${number}_more.sql`;
      writeFileSync(join(copy, file), 'select 1;\n');
      const foundBreaks = findBreaks();
      rmSync(join(copy, file));
      return foundBreaks;
    };
    expect(addMigration('9000')).toEqual([]);
    expect(addMigration('0000')).toEqual([
      expect.stringContaining('0000_more.sql: sorts before a released migration.'),
    ]);
  });

  it('must not change or remove the sample of a released event', () => {
    const sample = edit('proto-events/fixtures/projects.task.created.v1.json');
    sample.append('\n');
    expect(findBreaks()).toEqual([
      expect.stringMatching(/^projects\.task\.created\.v1: its sample was changed\. .* or a new version\.$/),
    ]);
    sample.remove();
    expect(findBreaks()).toEqual([expect.stringContaining('its sample was removed.')]);
    sample.restore();
    expect(findBreaks()).toEqual([]);
  });

  it('must not remove a released event or call', () => {
    const events = { ...before.events };
    delete events['users.user.created.v1'];
    const calls = { ...before.calls };
    delete calls['GET /tasks'];
    expect(findReleaseBreaks(before, { ...before, events, calls })).toEqual([
      expect.stringContaining('users.user.created.v1: was removed.'),
      expect.stringContaining('GET /tasks: was removed.'),
    ]);
  });
});

const toJsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
const { $schema: _, ...storedSchema } = toJsonSchema(
  z.object({ note: z.string().max(10), kind: z.enum(['a', 'b']), n: z.int().optional() }),
);

describe('data that two releases share, such as an event', () => {
  const findBreaks = (shape: z.ZodRawShape) => {
    const { $schema: _schema, ...after } = toJsonSchema(z.object(shape));
    return findSchemaBreaks(storedSchema, after, 'shared', 'data');
  };
  const note = z.string().max(10);
  const kind = z.enum(['a', 'b']);
  const n = z.int().optional();

  it('can have a new optional field', () => {
    expect(findBreaks({ note, kind, n })).toEqual([]);
    expect(findBreaks({ note, kind, n, color: z.string().optional() })).toEqual([]);
  });

  it.each<[string, z.ZodRawShape, string[]]>([
    ['a new required field', { note, kind, n, m: n.unwrap() }, ['data.m is now required']],
    ['a removed field', { note, kind }, ['data.n is no longer accepted', 'data.n was removed']],
    ['a field that became optional', { note: note.optional(), kind, n }, ['data.note may now be missing']],
    ['a lower maximum length', { note: note.max(9), kind, n }, ['data.note has maxLength 9 instead of 10']],
    ['a higher maximum length', { note: z.string().max(11), kind, n }, ['data.note has maxLength 11 instead of 10']],
    ['a removed enum value', { note, kind: z.enum(['a']), n }, ['data.kind no longer accepts "b"']],
    ['a new enum value', { note, kind: z.enum(['a', 'b', 'c']), n }, ['data.kind may now be "c"']],
    ['a field that became nullable', { note: note.nullable(), kind, n }, ['data.note may now be null']],
    [
      'a changed type',
      { note, kind, n: z.string().optional() },
      ['data.n no longer accepts integer', 'data.n may now be string'],
    ],
  ])('cannot have %s', (_name, shape, expected) => {
    expect(findBreaks(shape)).toEqual(expected);
  });
});

describe('a call that clients of the previous release make', () => {
  const item = z.object({ _id: z.string(), state: z.enum(['open', 'done']), due: z.iso.datetime().nullable() });
  const released = endpoint({
    method: 'PATCH',
    path: '/things/:id',
    summary: 'Changes a thing',
    access: 'user',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
    query: z.object({ scope: z.enum(['this', 'all']).default('this'), search: z.string().max(100).optional() }),
    body: z.object({ name: z.string().min(1).max(200), tags: z.array(z.string()).max(5).optional() }),
    response: z.object({ data: z.array(item), total: z.int() }),
    status: 200,
    errors: ['conflict'],
  });
  const describeCall = (definition: Endpoint) =>
    toCall(
      describeOperation({ service: 'things', name: 'change', endpoint: definition }) as Parameters<typeof toCall>[0],
    );
  const findBreaks = (change: Partial<Endpoint>) =>
    findCallBreaks(describeCall(released), describeCall({ ...released, ...change }));
  const { query, body, response } = released;
  const withItem = (shape: z.ZodRawShape) => ({ response: response.extend({ data: z.array(item.extend(shape)) }) });

  it.each<[string, Partial<Endpoint>]>([
    ['a different summary', { summary: 'Changes one thing' }],
    ['a new optional query parameter', { query: query.extend({ page: z.coerce.number().default(1) }) }],
    [
      'a new enum value in a request',
      { query: query.extend({ scope: z.enum(['this', 'following', 'all']).default('this') }) },
    ],
    ['a new optional body field', { body: body.extend({ due: z.string().optional() }) }],
    ['a body field that became optional', { body: body.partial() }],
    ['a body field that became nullable', { body: body.extend({ name: body.shape.name.nullable() }) }],
    ['a higher maximum length', { body: body.extend({ name: z.string().max(400) }) }],
    ['a new response field', withItem({ color: z.string() })],
    ['a removed enum value in a response', withItem({ state: z.enum(['open']) })],
    ['a response field that is no longer nullable', withItem({ due: z.iso.datetime() })],
    ['an additional error', { errors: ['conflict', 'forbidden'] }],
    ['an endpoint that becomes public', { access: 'public', maxBodyBytes: 65_536 }],
  ])('can have %s', (_name, change) => {
    expect(findBreaks(change)).toEqual([]);
  });

  it.each<[string, Partial<Endpoint>, string]>([
    ['a removed query parameter', { query: query.omit({ search: true }) }, 'query.search is no longer accepted'],
    ['a required query parameter', { query: query.extend({ zone: z.string() }) }, 'query.zone is now required'],
    [
      'a removed enum value',
      { query: query.extend({ scope: z.enum(['this']).default('this') }) },
      'query.scope no longer accepts "all"',
    ],
    [
      'a different default',
      { query: query.extend({ scope: z.enum(['this', 'all']).default('all') }) },
      'query.scope now defaults to "all" instead of "this"',
    ],
    ['a removed body field', { body: body.omit({ tags: true }) }, 'body.tags is no longer accepted'],
    ['a required body field', { body: body.extend({ due: z.string() }) }, 'body.due is now required'],
    [
      'a lower maximum length',
      { body: body.extend({ name: z.string().min(1).max(100) }) },
      'body.name has maxLength 100 instead of 200',
    ],
    [
      'a lower maximum number of items',
      { body: body.extend({ tags: z.array(z.string()).max(4).optional() }) },
      'body.tags has maxItems 4 instead of 5',
    ],
    [
      'a new pattern',
      { body: body.extend({ name: z.string().min(1).max(200).regex(/^a/) }) },
      'body.name has pattern ["^a"] instead of []',
    ],
    ['a closed object', { body: z.strictObject(body.shape) }, 'body now rejects unknown fields'],
    ['a smaller body limit', { maxBodyBytes: 4_000 }, 'now accepts at most 4000 bytes instead of 65536'],
    ['a removed response field', { response: response.omit({ total: true }) }, 'response 200.total was removed'],
    [
      'an optional response field',
      { response: response.partial({ total: true }) },
      'response 200.total may now be missing',
    ],
    [
      'a new enum value in a response',
      withItem({ state: z.enum(['open', 'done', 'lost']) }),
      'response 200.data[].state may now be "lost"',
    ],
    ['a nullable response field', withItem({ _id: z.string().nullable() }), 'response 200.data[]._id may now be null'],
    ['a different type in a response', withItem({ due: z.number() }), 'response 200.data[].due may now be number'],
    ['a second success status', { alternateStatus: 204 }, 'may now return 204'],
  ])('cannot have %s', (_name, change, expected) => {
    expect(findBreaks(change)).toEqual([expected]);
  });

  it('cannot require sign-in if it did not before', () => {
    const publicCall = describeCall({ ...released, access: 'public' });
    expect(findCallBreaks(publicCall, { ...publicCall, needsSignIn: true })).toEqual(['now requires sign-in']);
  });

  it('cannot be compared if its schema has an unknown keyword', () => {
    expect(() => findSchemaBreaks({ type: 'string' }, { type: 'string', not: {} }, 'request', 'body')).toThrow(
      /unsupported JSON Schema keyword .*: not$/,
    );
  });
});
