import { describe, expect, it } from '@jest/globals';
import type { VerificationResult } from '../simulation/verify.ts';
import { assertWrites, type Writes } from './assert-writes.ts';

const KINDS = ['task', 'comment', 'project', 'message', 'meeting', 'document'];
const LOST_LINE = '/tasks/1 {"title":"Task 1"}: {"status":404}';
const allFound = (): VerificationResult =>
  Object.fromEntries(KINDS.map((kind) => [kind, { acknowledged: 1, lost: [] }]));
const allLost = (): VerificationResult =>
  Object.fromEntries(KINDS.map((kind) => [kind, { acknowledged: 1, lost: [LOST_LINE] }]));

function collectReports(changes: Partial<Writes>): Record<string, readonly string[]> {
  const errorsByCheck: Record<string, readonly string[]> = {};
  assertWrites({ before: allFound(), beforeOrNext: allFound(), after: allLost(), ...changes }, (check, errors) => {
    errorsByCheck[check] = errors;
  });
  return errorsByCheck;
}

describe('assertWrites', () => {
  it('accepts a restored installation with every write before the snapshot and none after it', () => {
    expect(Object.values(collectReports({}))).toEqual(Array.from({ length: 2 * KINDS.length }, () => []));
  });

  it('reports a lost write, and a write from after the snapshot', () => {
    const withLostTask = { ...allFound(), task: { acknowledged: 1, lost: [LOST_LINE] } };
    expect(
      collectReports({ before: withLostTask, beforeOrNext: withLostTask })[
        '1 writes of kind task acknowledged before the snapshot exist'
      ],
    ).toEqual([LOST_LINE]);
    expect(
      collectReports({ after: allFound() })['none of 1 writes of kind task from after the snapshot exists'],
    ).toEqual(['1 exist']);
  });

  it('reports kinds without acknowledged writes', () => {
    const errorsByCheck = collectReports({
      before: {},
      beforeOrNext: {},
      after: { ...allLost(), task: { acknowledged: 0, lost: [] } },
    });
    expect(errorsByCheck['0 writes of kind message acknowledged before the snapshot exist']).toHaveLength(1);
    expect(errorsByCheck['none of 0 writes of kind task from after the snapshot exists']).toHaveLength(1);
  });
});
