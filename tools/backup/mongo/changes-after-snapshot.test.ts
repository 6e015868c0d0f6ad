import { outcomeEventId, toEventKey } from '@atrium/service-kit/process/notification-ids';
import { describe, expect, it } from '@jest/globals';
import { revertToSnapshot } from './changes-after-snapshot.ts';

const snapshotTime = new Date('2026-11-23T04:00:00.000Z');
const before = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const after = 'bbbbbbbbbbbbbbbbbbbbbbbb';
const laterEvents = (...ids: string[]) => ({
  has: (id: string) => ids.includes(id),
  hasKey: (key: string) => ids.map(toEventKey).includes(key),
});

describe('revertToSnapshot', () => {
  it('omits a record whose event was published after the snapshot, regardless of the rest of its id', () => {
    for (const [collection, id] of [
      ['activities', after],
      ['mailings', `${after}:manager`],
      ['claims', `${after}:manager:cccccccccccccccccccccccc:1`],
    ] as const) {
      expect(revertToSnapshot(collection, { _id: id }, laterEvents(after), snapshotTime)).toBeUndefined();
      expect(
        revertToSnapshot(collection, { _id: id.replace(after, before) }, laterEvents(after), snapshotTime),
      ).toBeDefined();
    }
  });

  it('omits a notification about events after the snapshot, and keeps earlier events of others', () => {
    const revert = (...ids: string[]) =>
      revertToSnapshot('notifications', { _id: 'a', eventKeys: ids.map(toEventKey) }, laterEvents(after), snapshotTime);
    expect(revert(after)).toBeUndefined();
    expect(revert(before, after)).toMatchObject({ eventKeys: [toEventKey(before)] });
    expect(revert(before)).toMatchObject({ eventKeys: [toEventKey(before)] });
  });

  it('marks a notification as unread if it was read after the snapshot', () => {
    const record = { _id: 'a', eventKeys: [toEventKey(before)], read: true };
    const read = (at: string) =>
      revertToSnapshot('notifications', { ...record, readAt: new Date(at) }, laterEvents(), snapshotTime);
    expect(read('2026-11-23T04:00:00.001Z')).toMatchObject({ read: false, readAt: null });
    expect(read('2026-11-23T04:00:00.000Z')).toMatchObject({ read: true });
  });

  it('reports the outcome of an email again if it was reported after the snapshot', () => {
    const mail = { _id: `${before}:someone`, state: 'sent', report: 'done' };
    expect(revertToSnapshot('mails', mail, laterEvents(outcomeEventId(mail)), snapshotTime)).toEqual({
      ...mail,
      report: 'due',
    });
    expect(revertToSnapshot('mails', mail, laterEvents(), snapshotTime)).toEqual(mail);
  });
});
