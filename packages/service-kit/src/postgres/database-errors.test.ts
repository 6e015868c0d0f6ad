import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable } from './database-errors.ts';

describe('isDatabaseUnavailable', () => {
  it.each([
    ['the disk is full', '53100'],
    ['no connection is left', '53300'],
    ['the server is starting or recovering', '57P03'],
    ['it stops', '57P01'],
    ['the server is read-only since it is no longer the primary', '25006'],
    ['the password is being changed', '28P01'],
    ['the database is missing after a restore', '3D000'],
    ['the connection broke', '08006'],
    ['nobody listens', 'ECONNREFUSED'],
  ])('is true if %s', (_why, code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(true);
  });

  it.each([
    ['a statement is invalid', '42601'],
    ['a unique constraint is violated', '23505'],
    ['a table does not exist', '42P01'],
    ['a text cannot be stored', '22021'],
  ])('is false if %s', (_why, code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(false);
  });
});
