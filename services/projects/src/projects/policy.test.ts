import { describe, expect, it } from '@jest/globals';
import { assertChangeAllowed } from './policy.ts';

const project = { status: 'in-progress', progress: 40 };
const getError = (before: typeof project, change: Parameters<typeof assertChangeAllowed>[1]) => {
  try {
    assertChangeAllowed(before, change);
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
  return undefined;
};

describe('assertChangeAllowed', () => {
  it('allows raising progress while in progress', () => {
    expect(getError(project, { progress: 45 })).toBeUndefined();
  });

  it('rejects lowering progress', () => {
    expect(getError(project, { progress: 20 })).toBe('Progress cannot decrease from 40% to 20%');
  });

  it.each(['not-started', 'on-hold', 'cancelled'] as const)('rejects a progress change while %s', (status) => {
    expect(getError({ ...project, status }, { progress: 60 })).toBe(
      'Progress can only be updated when status is "In Progress" or "Completed"',
    );
  });

  it('allows one change to start the project and set its progress', () => {
    expect(
      getError({ ...project, status: 'not-started', progress: 0 }, { status: 'in-progress', progress: 10 }),
    ).toBeUndefined();
  });

  it('rejects every change of a completed project', () => {
    const message = 'Cannot revert status from "Completed". Completed projects are final.';
    expect(getError({ ...project, status: 'completed', progress: 100 }, {})).toBe(message);
    expect(getError({ ...project, status: 'completed', progress: 100 }, { status: 'in-progress' })).toBe(message);
  });
});
