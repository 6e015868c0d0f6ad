import { describe, expect, it } from '@jest/globals';
import { refuseChange } from './project-rules.ts';

const project = { status: 'in-progress', progress: 40 };
const refusal = (before: typeof project, change: Parameters<typeof refuseChange>[1]) => {
  try {
    refuseChange(before, change);
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
  return undefined;
};

describe('the rules of a project', () => {
  it('lets progress rise while in progress', () => {
    expect(refusal(project, { progress: 45 })).toBeUndefined();
  });

  it('never lets progress fall', () => {
    expect(refusal(project, { progress: 20 })).toBe('Progress cannot decrease from 40% to 20%');
  });

  it.each(['not-started', 'on-hold', 'cancelled'] as const)('keeps progress while %s', (status) => {
    expect(refusal({ ...project, status }, { progress: 60 })).toBe(
      'Progress can only be updated when status is "In Progress" or "Completed"',
    );
  });

  it('lets one change both start the project and set its progress', () => {
    expect(
      refusal({ ...project, status: 'not-started', progress: 0 }, { status: 'in-progress', progress: 10 }),
    ).toBeUndefined();
  });

  it('refuses every change of a completed project, even one that changes nothing else', () => {
    const sentence = 'Cannot revert status from "Completed". Completed projects are final.';
    expect(refusal({ ...project, status: 'completed', progress: 100 }, {})).toBe(sentence);
    expect(refusal({ ...project, status: 'completed', progress: 100 }, { status: 'in-progress' })).toBe(sentence);
  });
});
