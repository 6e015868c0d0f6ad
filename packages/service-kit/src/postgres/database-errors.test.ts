import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable } from './database-errors.ts';

describe('an error of the database', () => {
  it.each([
    ['its disk is full', '53100'],
    ['it has no connection left', '53300'],
    ['it starts, or recovers from a crash', '57P03'],
    ['it stops', '57P01'],
    ['it only reads since it is a primary no more', '25006'],
    ['our password is being changed', '28P01'],
    ['it came back without our database', '3D000'],
    ['the connection broke', '08006'],
    ['nobody listens', 'ECONNREFUSED'],
  ])('says "try again" where %s', (_why, code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(true);
  });

  it.each([
    ['a statement is wrong', '42601'],
    ['a value is there already', '23505'],
    ['a table is not there', '42P01'],
    ['text cannot be kept', '22021'],
  ])('is a fault where %s', (_why, code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(false);
  });
});
