import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoint } from '@atrium/proto-events/endpoint';
import { pageQuery, wholeNumber } from '@atrium/proto-events/fields';
import { type RecordedResponse, readCoverage, recordCoverage, recordResponse } from '@atrium/test-kit/coverage-records';
import { findUntested, listExpectedOutcomes } from '@atrium/tools/contract-coverage/endpoints';
import { findPrematurelyPublished, findUnpublished } from '@atrium/tools/contract-coverage/events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const id = z.object({ id: z.string() });
const changeThing = endpoint({
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
const changeMine = endpoint({
  method: 'PATCH',
  path: '/things/mine',
  summary: 'Mine',
  access: 'public',
  status: 204,
  alternateStatus: 200,
});
const ENTRIES = [
  { service: 'things', endpoint: changeThing },
  { service: 'things', endpoint: changeMine },
];

const recorded = (path: string, status: number, code?: string): RecordedResponse => ({
  service: 'things',
  method: 'PATCH',
  path,
  status,
  ...(code !== undefined && { code }),
});
const ALL_RESPONSES = [
  recorded('/things/:id', 200),
  recorded('/things/:id', 400, 'validation_failed'),
  recorded('/things/:id', 401, 'unauthorized'),
  recorded('/things/:id', 403, 'forbidden'),
  recorded('/things/1', 404, 'not_found'),
  recorded('/things/:id', 409, 'conflict'),
  recorded('/things/mine', 204),
  recorded('/things/mine', 200),
];

describe('contract coverage of endpoints', () => {
  it('requires every outcome of a contract: its successes, its errors, and the errors that its inputs and access imply', () => {
    expect(listExpectedOutcomes(changeThing)).toEqual([
      200,
      'validation_failed',
      'unauthorized',
      'not_found',
      'forbidden',
      'conflict',
    ]);
    expect(listExpectedOutcomes(changeMine)).toEqual([204, 200]);
  });

  it('requires a validation error from a list only if its query can be invalid', () => {
    const { alternateStatus: _alternateStatus, ...call } = changeMine;
    const list = {
      ...call,
      query: z.object({ page: wholeNumber({ fallback: 1, max: 10, description: '' }) }),
    };
    expect(listExpectedOutcomes(list)).toEqual([204]);
    expect(
      listExpectedOutcomes({ ...list, query: list.query.extend({ search: z.string().max(100).optional() }) }),
    ).toContain('validation_failed');
    expect(listExpectedOutcomes({ ...list, query: pageQuery })).toContain('validation_failed');
  });

  it('reports nothing if every outcome was recorded', () => {
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

  it('ignores responses of a different service, method, or path, and codes with the wrong status', () => {
    const unrelated = [
      { ...recorded('/things/:id', 200), service: 'others' },
      { ...recorded('/things/:id', 200), method: 'GET' },
      recorded('/things/:id/more', 200),
      recorded('/things/', 200),
      recorded('/things/mine', 409, 'conflict'),
      recorded('/things/:id', 403, 'conflict'),
    ];
    const seen = ALL_RESPONSES.filter(
      ({ status, path }) => path === '/things/mine' || (status !== 200 && status !== 409),
    );
    expect(findUntested(ENTRIES, [...seen, ...unrelated])).toEqual([
      { call: 'PATCH /things/:id', unseen: [200, 'conflict'] },
    ]);
  });
});

describe('contract coverage of events', () => {
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

  it('requires the released version of an event until a newer one is released', () => {
    const first = { service: 'things', subject: 'things.thing.created.v1' };
    const newer = { service: 'things', subject: 'things.thing.created.v2' };
    const denied = { service: 'things', subject: 'audit.things.denied.v1' };
    const releasedSubjects = new Set(['things.thing.created.v1']);
    expect(findUnpublished(events, [first, denied], releasedSubjects)).toEqual([]);
    expect(findPrematurelyPublished(events, [first, denied], releasedSubjects)).toEqual([]);
    expect(findUnpublished(events, [newer, denied], releasedSubjects)).toEqual([first.subject]);
    expect(findPrematurelyPublished(events, [newer, denied], releasedSubjects)).toEqual([newer.subject]);
    const allReleasedSubjects = new Set([...releasedSubjects, 'things.thing.created.v2']);
    expect(findUnpublished(events, [newer, denied], allReleasedSubjects)).toEqual([]);
    expect(findPrematurelyPublished(events, [newer, denied], allReleasedSubjects)).toEqual([]);
  });
});

describe('coverage records', () => {
  const previousDir = process.env.CONTRACT_COVERAGE_DIR;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-coverage-'));
    process.env.CONTRACT_COVERAGE_DIR = folder;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (previousDir === undefined) delete process.env.CONTRACT_COVERAGE_DIR;
    else process.env.CONTRACT_COVERAGE_DIR = previousDir;
  });

  it('are read as written, by kind and without duplicates', () => {
    const path = `/things/${'a1'.repeat(12)}?page=2`;
    for (const body of [
      { code: 'conflict', message: 'No' },
      { code: 'conflict', message: 'Again' },
    ])
      recordResponse('things', { method: 'PATCH', path }, { status: 409, body });
    recordResponse('things', { method: 'PATCH', path }, { status: 200, body: { code: 'a field of the thing' } });
    recordCoverage('event', [{ service: 'things', subject: 'things.thing.created.v1' }]);
    expect(readCoverage('response', folder)).toEqual([
      recorded('/things/:id', 409, 'conflict'),
      recorded('/things/:id', 200),
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
