import { describe, expect, it } from '@jest/globals';
import type { Account } from '../simulation/verify.ts';
import { assertWrites, type Writes } from './judge-writes.ts';

const KINDS = ['task', 'comment', 'project', 'message', 'meeting', 'document'];
const LOST = '/tasks/1 {"title":"Task 1"}: {"status":404}';
const whole = (): Account => Object.fromEntries(KINDS.map((kind) => [kind, { acknowledged: 1, lost: [] }]));
const gone = (): Account => Object.fromEntries(KINDS.map((kind) => [kind, { acknowledged: 1, lost: [LOST] }]));

/** What was judged, and the faults of each. */
function judged(changes: Partial<Writes>): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  assertWrites({ sure: whole(), next: whole(), late: gone(), ...changes }, (what, faults) => {
    found[what] = faults;
  });
  return found;
}

describe('what people wrote, in a restored Atrium', () => {
  it('is well where all from before the cut is there and none from after it', () => {
    expect(Object.values(judged({}))).toEqual(Array.from({ length: 2 * KINDS.length }, () => []));
  });

  it('is not where something is lost, or there that was made later', () => {
    const lost = { ...whole(), task: { acknowledged: 1, lost: [LOST] } };
    expect(judged({ sure: lost, next: lost })['1 acknowledged before the cut of kind task are there']).toEqual([LOST]);
    expect(judged({ late: whole() })['none of 1 of kind task from after the cut is there']).toEqual(['1 are']);
  });

  it('is not where there was nothing to look for', () => {
    const found = judged({ sure: {}, next: {}, late: { ...gone(), task: { acknowledged: 0, lost: [] } } });
    expect(found['0 acknowledged before the cut of kind message are there']).toHaveLength(1);
    expect(found['none of 0 of kind task from after the cut is there']).toHaveLength(1);
  });
});
