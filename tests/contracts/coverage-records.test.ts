import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoint } from '@atrium/proto-events/endpoint';
import { pageQuery, wholeNumber } from '@atrium/proto-events/fields';
import { type NotedAnswer, note, noteAnswer, readNotes } from '@atrium/test-kit/coverage-records';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findUntested, outcomesOf } from '../contract-coverage/answers.ts';
import { findTooEarly, findUnpublished } from '../contract-coverage/events.ts';

const id = z.object({ id: z.string() });
const change = endpoint({
  method: 'PATCH',
  path: '/things/:id',
  summary: 'Changes a thing',
  access: 'user',
  params: id,
  body: z.object({ name: z.string() }),
  response: z.object({ name: z.string() }),
  status: 200,
  errors: ['forbidden', 'conflict'],
});
const mine = endpoint({
  method: 'PATCH',
  path: '/things/mine',
  summary: 'Mine',
  access: 'public',
  status: 204,
  alternateStatus: 200,
});
const ENTRIES = [
  { service: 'things', endpoint: change },
  { service: 'things', endpoint: mine },
];

const answered = (path: string, status: number, code?: string): NotedAnswer => ({
  service: 'things',
  method: 'PATCH',
  path,
  status,
  ...(code !== undefined && { code }),
});
const ALL = [
  answered('/things/:id', 200),
  answered('/things/:id', 400, 'validation_failed'),
  answered('/things/:id', 401, 'unauthorized'),
  answered('/things/:id', 403, 'forbidden'),
  answered('/things/1', 404, 'not_found'),
  answered('/things/:id', 409, 'conflict'),
  answered('/things/mine', 204),
  answered('/things/mine', 200),
];

describe('the judging of calls', () => {
  it('demands what a contract declares: its successes, bad input, strangers, absence and its own refusals', () => {
    expect(outcomesOf(change)).toEqual([
      200,
      'validation_failed',
      'unauthorized',
      'not_found',
      'forbidden',
      'conflict',
    ]);
    expect(outcomesOf(mine)).toEqual([204, 200]);
  });

  it('demands a refusal of a list only where one can be asked for wrongly', () => {
    const { alternateStatus: _alternateStatus, ...call } = mine;
    const list = {
      ...call,
      query: z.object({ page: wholeNumber({ fallback: 1, most: 10, about: '' }) }),
    };
    expect(outcomesOf(list)).toEqual([204]);
    expect(outcomesOf({ ...list, query: list.query.extend({ search: z.string().max(100).optional() }) })).toContain(
      'validation_failed',
    );
    expect(outcomesOf({ ...list, query: pageQuery })).toContain('validation_failed');
  });

  it('finds nothing untested where all of it was seen', () => {
    expect(findUntested(ENTRIES, ALL)).toEqual([]);
  });

  it.each(ALL.map((row) => [`${row.path} ${row.status}`, row] as const))(
    'misses the one answer left out: %s',
    (_name, row) => {
      const unseen = [row.code ?? row.status];
      const call = row.path === '/things/mine' ? 'PATCH /things/mine' : 'PATCH /things/:id';
      expect(
        findUntested(
          ENTRIES,
          ALL.filter((other) => other !== row),
        ),
      ).toEqual([{ call, unseen }]);
    },
  );

  it('takes neither another service, another verb, another path nor a code with a wrong status for the call', () => {
    const others = [
      { ...answered('/things/:id', 200), service: 'others' },
      { ...answered('/things/:id', 200), method: 'GET' },
      answered('/things/:id/more', 200),
      answered('/things/', 200),
      answered('/things/mine', 409, 'conflict'),
      answered('/things/:id', 403, 'conflict'),
    ];
    const seen = ALL.filter(({ status, path }) => path === '/things/mine' || (status !== 200 && status !== 409));
    expect(findUntested(ENTRIES, [...seen, ...others])).toEqual([
      { call: 'PATCH /things/:id', unseen: [200, 'conflict'] },
    ]);
  });
});

describe('the judging of events', () => {
  const events = [
    { type: 'things.thing.created', version: 1 },
    { type: 'things.thing.created', version: 2 },
    { type: 'audit.things.refused', version: 1 },
  ];

  it('demands that the service itself published the newest version of each', () => {
    const created = { service: 'things', subject: 'things.thing.created.v2' };
    const refused = { service: 'things', subject: 'audit.things.refused.v1' };
    expect(findUnpublished(events, [created, refused])).toEqual([]);
    expect(findUnpublished(events, [refused, { ...created, service: 'others' }])).toEqual([created.subject]);
    expect(findUnpublished(events, [created])).toEqual([refused.subject]);
    expect(findUnpublished(events, [{ ...created, subject: 'things.thing.created.v1' }])).toHaveLength(2);
  });

  it('demands the version that was released for as long as the pods of that release know no newer one', () => {
    const first = { service: 'things', subject: 'things.thing.created.v1' };
    const second = { service: 'things', subject: 'things.thing.created.v2' };
    const refused = { service: 'things', subject: 'audit.things.refused.v1' };
    const before = new Set(['things.thing.created.v1']);
    expect(findUnpublished(events, [first, refused], before)).toEqual([]);
    expect(findTooEarly(events, [first, refused], before)).toEqual([]);
    expect(findUnpublished(events, [second, refused], before)).toEqual([first.subject]);
    expect(findTooEarly(events, [second, refused], before)).toEqual([second.subject]);
    const after = new Set([...before, 'things.thing.created.v2']);
    expect(findUnpublished(events, [second, refused], after)).toEqual([]);
    expect(findTooEarly(events, [second, refused], after)).toEqual([]);
  });
});

describe('the notes of a run', () => {
  const given = process.env.CONTRACT_COVERAGE_DIR;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-evidence-'));
    process.env.CONTRACT_COVERAGE_DIR = folder;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (given === undefined) delete process.env.CONTRACT_COVERAGE_DIR;
    else process.env.CONTRACT_COVERAGE_DIR = given;
  });

  it('are read as they were written, each kind for itself and each row once', () => {
    const path = `/things/${'a1'.repeat(12)}?page=2`;
    for (const body of [
      { code: 'conflict', message: 'No' },
      { code: 'conflict', message: 'Again' },
    ])
      noteAnswer('things', { method: 'PATCH', path }, { status: 409, body });
    noteAnswer('things', { method: 'PATCH', path }, { status: 200, body: { code: 'of a thing' } });
    note('event', [{ service: 'things', subject: 'things.thing.created.v1' }]);
    expect(readNotes('answer', folder)).toEqual([
      answered('/things/:id', 409, 'conflict'),
      answered('/things/:id', 200),
    ]);
    expect(readNotes('event', folder)).toHaveLength(1);
  });

  it('are none where nobody asked for them', () => {
    delete process.env.CONTRACT_COVERAGE_DIR;
    note('event', [{ service: 'things', subject: 'things.thing.deleted.v1' }]);
    expect(readNotes('event', folder)).toEqual([]);
    expect(readNotes('event', join(folder, 'none'))).toEqual([]);
  });
});
