import { isIncluded } from '@atrium/proto-events/responses/transactions';
import { describe, expect, it } from '@jest/globals';

describe('isIncluded', () => {
  it.each([
    ['before all that were in progress', '9:20:12,15', '8'],
    ['that finished while an earlier one was in progress', '12:20:12,15', '13'],
    ['when none was in progress', '20:20:', '19'],
    ['with fewer digits, which text would compare wrongly', '100:100:', '99'],
    ['above the safe integers', '9007199254740993:9007199254740993:', '9007199254740992'],
    ['whose number is part of that of one in progress', '12:200:150', '15'],
  ])('is true of a transaction %s', (_label, asOf, transaction) => {
    expect(isIncluded(asOf, transaction)).toBe(true);
  });

  it.each([
    ['in progress', '12:20:12,15', '15'],
    ['alone in progress', '12:13:12', '12'],
    ['that is the next to start', '12:20:12,15', '20'],
    ['that starts later', '12:20:12,15', '21'],
    ['that is the next to start when none is in progress', '20:20:', '20'],
    ['with more digits, which text would compare wrongly', '9:9:', '10'],
    ['above the safe integers', '9007199254740993:9007199254740993:', '9007199254740993'],
  ])('is false of a transaction %s', (_label, asOf, transaction) => {
    expect(isIncluded(asOf, transaction)).toBe(false);
  });
});
