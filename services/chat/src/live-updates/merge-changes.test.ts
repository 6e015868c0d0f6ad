import type { Change } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import { mergeChanges } from './merge-changes.ts';

const ID = 'a'.repeat(24);
const change = (overrides: Partial<Change> = {}): Change => ({
  resource: 'project',
  id: ID,
  action: 'updated',
  version: 2,
  tags: ['projects'],
  ...overrides,
});
const message = (overrides: Partial<Change>) => change({ resource: 'message', tags: ['conversations'], ...overrides });

describe('changes of a resource', () => {
  it('merge into the latest, with its item and all tags and changed fields, regardless of their order', () => {
    const earlier = change({ version: 2, changed: ['name'], item: { name: 'A' }, tags: ['projects', `project:${ID}`] });
    const later = change({ version: 3, changed: ['status'], item: { name: 'B' }, tags: ['projects', 'own-meetings'] });
    for (const changes of [
      [earlier, later],
      [later, earlier],
    ]) {
      const [merged, ...others] = mergeChanges(changes);
      expect(others).toEqual([]);
      expect({ ...merged, tags: merged?.tags.toSorted(), changed: merged?.changed?.toSorted() }).toEqual(
        change({
          version: 3,
          changed: ['name', 'status'],
          item: { name: 'B' },
          tags: ['own-meetings', `project:${ID}`, 'projects'],
        }),
      );
    }
  });

  it('merge into one without an item if the latest has none, because an earlier item would be outdated', () => {
    expect(mergeChanges([change({ item: { name: 'A' } }), change({ version: 3 })])).toEqual([change({ version: 3 })]);
  });

  it('merge into one without an item if an earlier one has none, because no item shows what it is about', () => {
    const joined = change({ changed: ['teamMembers'] });
    const renamed = change({ version: 3, changed: ['name'], item: { name: 'A' } });
    for (const changes of [
      [joined, renamed],
      [renamed, joined],
    ]) {
      const [merged, ...others] = mergeChanges(changes);
      expect([merged?.version, merged && 'item' in merged, others]).toEqual([3, false, []]);
    }
  });

  it('have unknown changed fields if one of them has', () => {
    expect(mergeChanges([change({ changed: ['name'] }), change({ version: 3 })])).toEqual([change({ version: 3 })]);
  });

  it('merge into a deletion, which may have no version', () => {
    const deletion = change({ action: 'deleted', version: 0 });
    expect(mergeChanges([change({ item: { name: 'A' } }), deletion])).toEqual([deletion]);
    expect(mergeChanges([change({ action: 'deleted', version: 4 }), change({ version: 3 })])).toEqual([
      change({ action: 'deleted', version: 4 }),
    ]);
  });

  it('leave creations, which lists may include without the later changes', () => {
    const creation = change({ action: 'created', version: 1, item: { name: 'A' } });
    const update = change({ version: 2, item: { name: 'B' }, changed: ['name'] });
    const deletion = change({ action: 'deleted', version: 3 });
    const restored = change({ action: 'created', version: 4 });
    const laterUpdate = change({ version: 3, item: { name: 'C' }, changed: ['name'] });
    expect(mergeChanges([creation, update, laterUpdate])).toEqual([creation, laterUpdate]);
    expect(mergeChanges([creation, update, deletion])).toEqual([creation, deletion]);
    expect(mergeChanges([deletion, restored])).toEqual([deletion, restored]);
  });

  it('leave those of other resources, in the order of the last changes', () => {
    const others = [change({ resource: 'task' }), change({ id: 'b'.repeat(24) })];
    expect(mergeChanges([change(), ...others, change({ version: 3 })])).toEqual([...others, change({ version: 3 })]);
  });
});

describe('message changes of a conversation', () => {
  it('merge into the latest created message and the latest revision', () => {
    const merged = mergeChanges([
      message({ action: 'created', version: 9 }),
      message({ version: 9, revision: 5 }),
      message({ version: 4, revision: 6 }),
    ]);
    expect(merged).toEqual([message({ action: 'created', version: 9, revision: 6 })]);
  });

  it('merge into a range of created messages, regardless of edits', () => {
    const merged = mergeChanges([
      message({ version: 3, revision: 5 }),
      ...[7, 9, 8].map((version) => message({ action: 'created', version })),
    ]);
    expect(merged).toEqual([message({ action: 'created', version: 9, from: 7, revision: 5 })]);
  });
});
