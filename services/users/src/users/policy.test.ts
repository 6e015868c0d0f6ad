import { describe, expect, it } from '@jest/globals';
import { removesActiveAdmin } from './policy.ts';

describe('removesActiveAdmin', () => {
  const admin = { role: 'admin', status: 'active' } as const;

  it.each([
    [admin, { role: 'member' }, true],
    [admin, { status: 'inactive' }, true],
    [admin, { role: 'admin', status: 'active' }, false],
    [admin, {}, false],
    [{ role: 'admin', status: 'inactive' }, { role: 'member' }, false],
    [{ role: 'member', status: 'active' }, { status: 'inactive' }, false],
    [{ role: 'member', status: 'active' }, { role: 'admin' }, false],
  ] as const)('given %j and the change %j, returns %s', (before, change, expected) => {
    expect(removesActiveAdmin(before, change)).toBe(expected);
  });
});
