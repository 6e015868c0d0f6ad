import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoint } from '@atrium/proto-events/endpoint';
import { pageQuery, wholeNumber } from '@atrium/proto-events/fields';
import { type RecordedResponse, readCoverage, recordCoverage, recordResponse } from '@atrium/test-kit/coverage-records';
import { findUntested, outcomesOf } from '@atrium/tools/contract-coverage/endpoints';
import { findPrematurelyPublished, findUnpublished } from '@atrium/tools/contract-coverage/events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

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

const answered = (path: string, status: number, code?: string): RecordedResponse => ({
  service: 'things',
  method: 'PATCH',
  path,
  status,
  ...(code !== undefined && { code }),
});
const ALL_RESPONSES = [
  answered('/things/:id', 200),
  answered('/things/:id', 400, 'validation_failed'),
  answered('/things/:id', 401, 'unauthorized'),
  answered('/things/:id', 403, 'forbidden'),
  answered('/things/1', 404, 'not_found'),
  answered('/things/:id', 409, 'conflict'),
  answered('/things/mine', 204),
  answered('/things/mine', 200),
];

describe('endpoint coverage', () => {
  it('requires what a contract declares: successes, invalid input, unauthenticated calls, not found, and its own errors', () => {
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

  it('requires a validation error of a list only if its query can be invalid', () => {
    const { alternateStatus: _alternateStatus, ...call } = mine;
    const list = {
      ...call,
      query: z.object({ page: wholeNumber({ fallback: 1, max: 10, description: '' }) }),
    };
    expect(outcomesOf(list)).toEqual([204]);
    expect(outcomesOf({ ...list, query: list.query.extend({ search: z.string().max(100).optional() }) })).toContain(
      'validation_failed',
    );
    expect(outcomesOf({ ...list, query: pageQuery })).toContain('validation_failed');
  });

  it('reports nothing if every outcome was seen', () => {
    expect(findUntested(ENTRIES, ALL_RESPONSES)).toEqual([]);
  });

  it.each(ALL_RESPONSES.map((row) => [`${row.path} ${row.status}`, row] as const))(
    'reports a missing outcome: %s',
    (_name, row) => {
      const unseen = [row.code ?? row.status];
      const call = row.path === '/things/mine' ? 'PATCH /things/mine' : 'PATCH /things/:id';
      expect(
        findUntested(
          ENTRIES,
          ALL_RESPONSES.filter((other) => other !== row),
        ),
      ).toEqual([{ call, unseen }]);
    },
  );

  it('does not count another service, method, or path, or a code with the wrong status', () => {
    const others = [
      { ...answered('/things/:id', 200), service: 'others' },
      { ...answered('/things/:id', 200), method: 'GET' },
      answered('/things/:id/more', 200),
      answered('/things/', 200),
      answered('/things/mine', 409, 'conflict'),
      answered('/things/:id', 403, 'conflict'),
    ];
    const seen = ALL_RESPONSES.filter(
      ({ status, path }) => path === '/things/mine' || (status !== 200 && status !== 409),
    );
    expect(findUntested(ENTRIES, [...seen, ...others])).toEqual([
      { call: 'PATCH /things/:id', unseen: [200, 'conflict'] },
    ]);
  });
});

describe('event coverage', () => {
  const events = [
    { type: 'things.thing.created', version: 1 },
    { type: 'things.thing.created', version: 2 },
    { type: 'audit.things.denied', version: 1 },
  ];

  it('requires that the service itself published the newest version of each event', () => {
    const created = { service: 'things', subject: 'things.thing.created.v2' };
    const denied = { service: 'things', subject: 'audit.things.denied.v1' };
    expect(findUnpublished(events, [created, denied])).toEqual([]);
    expect(findUnpublished(events, [denied, { ...created, service: 'others' }])).toEqual([created.subject]);
    expect(findUnpublished(events, [created])).toEqual([denied.subject]);
    expect(findUnpublished(events, [{ ...created, subject: 'things.thing.created.v1' }])).toHaveLength(2);
  });

  it('requires the released version as long as no newer one was released', () => {
    const first = { service: 'things', subject: 'things.thing.created.v1' };
    const newer = { service: 'things', subject: 'things.thing.created.v2' };
    const denied = { service: 'things', subject: 'audit.things.denied.v1' };
    const before = new Set(['things.thing.created.v1']);
    expect(findUnpublished(events, [first, denied], before)).toEqual([]);
    expect(findPrematurelyPublished(events, [first, denied], before)).toEqual([]);
    expect(findUnpublished(events, [newer, denied], before)).toEqual([first.subject]);
    expect(findPrematurelyPublished(events, [newer, denied], before)).toEqual([newer.subject]);
    const after = new Set([...before, 'things.thing.created.v2']);
    expect(findUnpublished(events, [newer, denied], after)).toEqual([]);
    expect(findPrematurelyPublished(events, [newer, denied], after)).toEqual([]);
  });
});

describe('coverage records', () => {
  const previousDir = process.env.CONTRACT_COVERAGE_DIR;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-evidence-'));
    process.env.CONTRACT_COVERAGE_DIR = folder;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (previousDir === undefined) delete process.env.CONTRACT_COVERAGE_DIR;
    else process.env.CONTRACT_COVERAGE_DIR = previousDir;
  });

  it('are read as they were written, by kind and without duplicates', () => {
    const path = `/things/${'a1'.repeat(12)}?page=2`;
    for (const body of [
      { code: 'conflict', message: 'No' },
      { code: 'conflict', message: 'Again' },
    ])
      recordResponse('things', { method: 'PATCH', path }, { status: 409, body });
    recordResponse('things', { method: 'PATCH', path }, { status: 200, body: { code: 'of a thing' } });
    recordCoverage('event', [{ service: 'things', subject: 'things.thing.created.v1' }]);
    expect(readCoverage('answer', folder)).toEqual([
      answered('/things/:id', 409, 'conflict'),
      answered('/things/:id', 200),
    ]);
    expect(readCoverage('event', folder)).toHaveLength(1);
  });

  it('are empty if recording is disabled', () => {
    delete process.env.CONTRACT_COVERAGE_DIR;
    recordCoverage('event', [{ service: 'things', subject: 'things.thing.deleted.v1' }]);
    expect(readCoverage('event', folder)).toEqual([]);
    expect(readCoverage('event', join(folder, 'none'))).toEqual([]);
  });
});
