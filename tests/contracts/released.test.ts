import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationOf } from '@atrium/gateway/openapi/operation';
import { type Endpoint, endpoint } from '@atrium/proto-events/endpoint';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { callOf, findCallBreaks } from '../release/calls.ts';
import { canonicalJson } from '../release/canonical.ts';
import { judgeRelease } from '../release/check-contracts.ts';
import { readLock } from '../release/lock.ts';
import { findReleaseBreaks, presentState, type Released } from '../release/released.ts';
import { findSchemaBreaks } from '../release/schema-breaks.ts';
import type { JsonSchema } from '../release/schema-variants.ts';
import { ROOT } from './sources.ts';

const released = readLock();

describe('what is released', () => {
  it('is as it was', () => {
    const { broken, stale } = judgeRelease(released, presentState(ROOT));
    expect(broken).toEqual([]);
    // What was accepted for the last release has nothing to say in the next one.
    expect(stale).toEqual([]);
  });

  it('holds migrations of every database, the events and the calls', () => {
    expect(Object.keys(released.migrations).length).toBeGreaterThanOrEqual(8);
    expect(Object.keys(released.events).length).toBeGreaterThanOrEqual(50);
    expect(Object.keys(released.calls).length).toBeGreaterThanOrEqual(92);
    for (const file of readdirSync(new URL('../release/', import.meta.url)).filter((name) =>
      name.endsWith('.lock.json'),
    )) {
      const text = readFileSync(new URL(`../release/${file}`, import.meta.url), 'utf8');
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }
  });

  it('may be broken on purpose, by a sentence that says why, as long as it is true', () => {
    const { 'GET /users': gone, ...calls } = released.calls;
    expect(gone).toBeDefined();
    const now = { ...released, calls };
    const accepted = { 'GET /users: is gone': 'Nobody has called it for a year' };
    expect(judgeRelease(released, now, {}).broken).toHaveLength(1);
    expect(judgeRelease(released, now, accepted)).toEqual({ broken: [], stale: [] });
    expect(judgeRelease(released, released, accepted)).toEqual({ broken: [], stale: Object.keys(accepted) });
  });
});

describe('in a copy of the tree', () => {
  let copy: string;
  let before: Released;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'atrium-released-'));
    const isKept = (path: string) => !/node_modules|\/src|\/test/.test(path.slice(ROOT.length));
    for (const folder of ['services', 'packages/service-kit', 'proto-events'])
      cpSync(join(ROOT, folder), join(copy, folder), { recursive: true, filter: isKept });
    before = presentState(copy);
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const edit = (file: string) => {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    return {
      add: (more: string) => writeFileSync(path, text + more),
      remove: () => rmSync(path),
      putBack: () => writeFileSync(path, text),
    };
  };
  const breaks = () => findReleaseBreaks(before, presentState(copy));

  it.each(['services/projects/migrations/0001_projects.sql', 'packages/service-kit/migrations/0001_shared-tables.sql'])(
    'a migration is neither changed nor removed: %s',
    (file) => {
      const migration = edit(file);
      const instead = 'Databases have run it. Leave it as it was released and add a file with a higher number.';
      migration.add('-- in passing\n');
      expect(breaks()).toEqual([`${file}: is another one now. ${instead}`]);
      migration.remove();
      expect(breaks()).toEqual([`${file}: is gone. ${instead}`]);
      migration.putBack();
      expect(breaks()).toEqual([]);
    },
  );

  it('a migration is added behind those that databases have run', () => {
    const add = (number: string) => {
      const file = `services/users/migrations/${number}_more.sql`;
      writeFileSync(join(copy, file), 'select 1;\n');
      const found = breaks();
      rmSync(join(copy, file));
      return found;
    };
    expect(add('9000')).toEqual([]);
    expect(add('0000')).toEqual([expect.stringContaining('0000_more.sql: comes before one that is released.')]);
  });

  it('the sample of an event is neither changed nor removed', () => {
    const sample = edit('proto-events/fixtures/projects.task.created.v1.json');
    sample.add('\n');
    expect(breaks()).toEqual([
      expect.stringMatching(
        /^projects\.task\.created\.v1: its sample is another one now\. .*a new version beside it\.$/,
      ),
    ]);
    sample.remove();
    expect(breaks()).toEqual([expect.stringContaining('its sample is gone.')]);
    sample.putBack();
    expect(breaks()).toEqual([]);
  });

  it('an event is not removed, and a call is not', () => {
    const events = { ...before.events };
    delete events['users.user.created.v1'];
    const calls = { ...before.calls };
    delete calls['GET /tasks'];
    expect(findReleaseBreaks(before, { ...before, events, calls })).toEqual([
      expect.stringContaining('users.user.created.v1: is gone.'),
      expect.stringContaining('GET /tasks: is gone.'),
    ]);
  });
});

const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
const { $schema: _, ...noted } = json(
  z.object({ note: z.string().max(10), kind: z.enum(['a', 'b']), n: z.int().optional() }),
);

describe('what pods of two versions share, such as an event', () => {
  const shared = (shape: z.ZodRawShape) => {
    const { $schema: _schema, ...after } = json(z.object(shape));
    return findSchemaBreaks(noted, after, 'shared', 'data');
  };
  const note = z.string().max(10);
  const kind = z.enum(['a', 'b']);
  const n = z.int().optional();

  it('may have a field more that is left out by those of before', () => {
    expect(shared({ note, kind, n })).toEqual([]);
    expect(shared({ note, kind, n, colour: z.string().optional() })).toEqual([]);
  });

  it.each<[string, z.ZodRawShape, string[]]>([
    ['a new field that is demanded', { note, kind, n, m: n.unwrap() }, ['data.m is demanded now']],
    ['a field that is gone', { note, kind }, ['data.n is taken no longer', 'data.n is gone']],
    ['a field that may be missing', { note: note.optional(), kind, n }, ['data.note may be missing now']],
    ['a shorter text', { note: note.max(9), kind, n }, ['data.note has another maxLength now: 9, it was 10']],
    ['a longer text', { note: z.string().max(11), kind, n }, ['data.note has another maxLength now: 11, it was 10']],
    ['a choice less', { note, kind: z.enum(['a']), n }, ['data.kind takes "b" no longer']],
    ['a choice more', { note, kind: z.enum(['a', 'b', 'c']), n }, ['data.kind may be "c" now']],
    ['nothing as well', { note: note.nullable(), kind, n }, ['data.note may be null now']],
    [
      'another kind',
      { note, kind, n: z.string().optional() },
      ['data.n takes integer no longer', 'data.n may be string now'],
    ],
  ])('has not %s', (_what, shape, expected) => {
    expect(shared(shape)).toEqual(expected);
  });
});

describe('a call that clients of before make', () => {
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
  const described = (one: Endpoint) =>
    callOf(operationOf({ service: 'things', name: 'change', endpoint: one }) as Parameters<typeof callOf>[0]);
  const breaks = (change: Partial<Endpoint>) =>
    findCallBreaks(described(released), described({ ...released, ...change }));
  const { query, body, response } = released;
  const answers = (shape: z.ZodRawShape) => ({ response: response.extend({ data: z.array(item.extend(shape)) }) });

  it.each<[string, Partial<Endpoint>]>([
    ['other words', { summary: 'Changes one thing' }],
    ['a query more', { query: query.extend({ page: z.coerce.number().default(1) }) }],
    [
      'a choice more in a request',
      { query: query.extend({ scope: z.enum(['this', 'following', 'all']).default('this') }) },
    ],
    ['a field more in a body, which may be left out', { body: body.extend({ due: z.string().optional() }) }],
    ['a field that was demanded and may be left out', { body: body.partial() }],
    ['nothing where a text was', { body: body.extend({ name: body.shape.name.nullable() }) }],
    ['a longer text', { body: body.extend({ name: z.string().max(400) }) }],
    ['a field more in an answer', answers({ colour: z.string() })],
    ['a choice less in an answer', answers({ state: z.enum(['open']) })],
    ['always a text where there might have been nothing', answers({ due: z.iso.datetime() })],
    ['a further refusal', { errors: ['conflict', 'forbidden'] }],
    ['nobody asked who calls', { access: 'public', maxBodyBytes: 65_536 }],
  ])('may have %s', (_what, change) => {
    expect(breaks(change)).toEqual([]);
  });

  it.each<[string, Partial<Endpoint>, string]>([
    ['a query less', { query: query.omit({ search: true }) }, 'query.search is taken no longer'],
    ['a query that is demanded', { query: query.extend({ zone: z.string() }) }, 'query.zone is demanded now'],
    [
      'a choice less',
      { query: query.extend({ scope: z.enum(['this']).default('this') }) },
      'query.scope takes "all" no longer',
    ],
    [
      'another meaning of what is left out',
      { query: query.extend({ scope: z.enum(['this', 'all']).default('all') }) },
      'query.scope is "all" now where it is left out; it was "this"',
    ],
    ['a field less', { body: body.omit({ tags: true }) }, 'body.tags is taken no longer'],
    ['a field that is demanded', { body: body.extend({ due: z.string() }) }, 'body.due is demanded now'],
    [
      'a shorter text',
      { body: body.extend({ name: z.string().min(1).max(100) }) },
      'body.name has another maxLength now: 100, it was 200',
    ],
    [
      'fewer in a list',
      { body: body.extend({ tags: z.array(z.string()).max(4).optional() }) },
      'body.tags has another maxItems now: 4, it was 5',
    ],
    [
      'a text of a certain look',
      { body: body.extend({ name: z.string().min(1).max(200).regex(/^a/) }) },
      'body.name has another pattern now: ["^a"], it was []',
    ],
    ['no unknown fields', { body: z.strictObject(body.shape) }, 'body refuses fields that it does not know'],
    ['less bytes', { maxBodyBytes: 4_000 }, 'takes 4000 bytes at most now, it took 65536'],
    ['a field less in an answer', { response: response.omit({ total: true }) }, 'answer 200.total is gone'],
    [
      'a field in an answer that may be missing',
      { response: response.partial({ total: true }) },
      'answer 200.total may be missing now',
    ],
    [
      'a choice more in an answer',
      answers({ state: z.enum(['open', 'done', 'lost']) }),
      'answer 200.data[].state may be "lost" now',
    ],
    ['nothing in an answer', answers({ _id: z.string().nullable() }), 'answer 200.data[]._id may be null now'],
    ['another kind in an answer', answers({ due: z.number() }), 'answer 200.data[].due may be number now'],
    ['a second way to succeed', { alternateStatus: 204 }, 'may answer 204 now'],
  ])('has not %s', (_what, change, expected) => {
    expect(breaks(change)).toEqual([expected]);
  });

  it('asks nobody who they are who was not asked before', () => {
    const open = described({ ...released, access: 'public' });
    expect(findCallBreaks(open, { ...open, needsSignIn: true })).toEqual(['asks who calls now']);
  });

  it('is not compared by a schema of which a part is unknown', () => {
    expect(() => findSchemaBreaks({ type: 'string' }, { type: 'string', not: {} }, 'request', 'body')).toThrow(
      /does not know not/,
    );
  });
});
