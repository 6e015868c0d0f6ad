import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable } from './database-errors.ts';

describe('isDatabaseUnavailable', () => {
  it.each([
    ['the disk is full', '53100'],
    ['no connection is left', '53300'],
    ['the server is starting or recovering', '57P03'],
    ['the server is stopping', '57P01'],
    ['the server is read-only because it is no longer the primary', '25006'],
    ['the password is being changed', '28P01'],
    ['the database is missing after a restore', '3D000'],
    ['the connection broke', '08006'],
    ['no server listens on the port', 'ECONNREFUSED'],
  ])('is true if %s', (_reason, code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(true);
  });

  it.each([
    ['a statement is invalid', '42601'],
    ['a unique constraint is violated', '23505'],
    ['a table does not exist', '42P01'],
    ['text cannot be stored', '22021'],
  ])('is false if %s', (_reason, code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code }))).toBe(false);
  });
});
