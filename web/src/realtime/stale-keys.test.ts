import type { Change } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import { isStale, mayHaveMissed } from './stale-keys.ts';

const id = '65f0c0ffee0000000000000a';
const other = '65f0c0ffee0000000000000b';
const change = (resource: Change['resource'], action: Change['action'] = 'updated'): Change => ({
  resource,
  id,
  action,
  version: 2,
});

describe('a change makes stale', () => {
  it('every list and figure of its resource', () => {
    expect(isStale('/projects?limit=6', change('project'))).toBe(true);
    expect(isStale('/projects/stats', change('project'))).toBe(true);
    expect(isStale('/meetings/upcoming?limit=5', change('meeting'))).toBe(true);
  });

  it('the one resource by its id, and no other', () => {
    expect(isStale(`/projects/${id}`, change('project'))).toBe(true);
    expect(isStale(`/projects/${other}`, change('project'))).toBe(false);
  });

  it('nothing of another resource, even where paths begin alike', () => {
    expect(isStale('/meetings?page=1', change('project'))).toBe(false);
    expect(isStale('/projects-archive', change('project'))).toBe(false);
  });

  it('nothing where a later server tells of a resource that this page does not know', () => {
    const later = { ...change('project'), resource: 'poll of tomorrow' } as unknown as Change;
    expect(isStale('/projects', later)).toBe(false);
  });

  it('the list of conversations when a message comes', () => {
    expect(isStale('/chat/conversations?limit=100', change('message'))).toBe(true);
    const said = (conversation: string) => `/chat/messages?conversation=${conversation}`;
    expect(isStale(said(id), change('message'))).toBe(false);
    expect([id, other].map((one) => mayHaveMissed(said(one), change('message')))).toEqual([true, false]);
  });

  it('people and departments together when a department changes', () => {
    expect(isStale('/users?page=1', change('department'))).toBe(true);
    expect(isStale('/departments', change('department'))).toBe(true);
  });

  it.each(['user', 'department'] as const)(
    'what shows people by name when a %s changes, and not when one comes',
    (who) => {
      for (const key of [
        `/projects/${other}`,
        '/tasks/project/x?page=1',
        '/meetings',
        '/documents',
        '/chat/conversations',
      ])
        expect([
          isStale(key, change(who)),
          isStale(key, change(who, 'deleted')),
          isStale(key, change(who, 'created')),
        ]).toEqual([true, true, false]);
    },
  );

  it('tasks of its project alone, and what names a project only where that differs', () => {
    const task = { ...change('task'), scope: { project: other } };
    expect([isStale(`/tasks/project/${other}?page=1`, task), isStale(`/tasks/project/${id}`, task)]).toEqual([
      true,
      false,
    ]);
    expect(isStale(`/tasks/${id}`, task)).toBe(true);
    const project = (...changed: string[]) => ({ ...change('project'), changed });
    for (const [key, byName, byProgress] of [
      [`/tasks/project/${id}`, true, false],
      [`/tasks/project/${other}`, false, false],
      ['/documents?page=1', true, false],
      ['/projects/stats', true, true],
    ] as const)
      expect([isStale(key, project('name')), isStale(key, project('progress'))]).toEqual([byName, byProgress]);
  });

  it('of a person only what shows the fields that changed', () => {
    const person = (...changed: string[]) => ({ ...change('user'), changed });
    for (const [key, byTimeZone, byBio, byName] of [
      ['/users?page=1', false, true, true],
      ['/departments', false, true, true],
      ['/projects?limit=6', false, false, true],
      [`/users/${id}`, true, true, true],
      [`/users/${other}`, false, false, false],
      ['/users/profile', true, true, true],
    ] as const)
      expect([person('timezone'), person('bio'), person('firstName')].map((one) => isStale(key, one))).toEqual([
        byTimeZone,
        byBio,
        byName,
      ]);
  });

  it('nothing whose key is not a path', () => {
    expect(isStale(['/projects'], change('project'))).toBe(false);
  });
});
