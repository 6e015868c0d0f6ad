import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { revertToSnapshot } from './changes-after-snapshot.ts';

const snapshotTime = new Date('2026-11-23T04:00:00.000Z');
const before = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const after = 'bbbbbbbbbbbbbbbbbbbbbbbb';
const getOutcomeEventId = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 24);
const laterEvents = (...ids: string[]) => ({ has: (id: string) => ids.includes(id) });

describe('revertToSnapshot', () => {
  it('omits a record whose event was published after the snapshot, regardless of the rest of its id', () => {
    for (const [collection, id] of [
      ['activities', after],
      ['notifications', `${after}:cccccccccccccccccccccccc`],
      ['mailings', `${after}:manager`],
      ['claims', `${after}:manager:cccccccccccccccccccccccc:1`],
    ] as const) {
      expect(revertToSnapshot(collection, { _id: id }, laterEvents(after), snapshotTime)).toBeUndefined();
      expect(
        revertToSnapshot(collection, { _id: id.replace(after, before) }, laterEvents(after), snapshotTime),
      ).toBeDefined();
    }
  });

  it('marks a notification as unread if it was read after the snapshot', () => {
    const record = { _id: `${before}:someone`, read: true };
    const read = (at: string) =>
      revertToSnapshot('notifications', { ...record, readAt: new Date(at) }, laterEvents(), snapshotTime);
    expect(read('2026-11-23T04:00:00.001Z')).toMatchObject({ read: false, readAt: null });
    expect(read('2026-11-23T04:00:00.000Z')).toMatchObject({ read: true });
  });

  it('reports the outcome of an email again if it was reported after the snapshot', () => {
    const mail = { _id: `${before}:someone`, state: 'sent', report: 'done' };
    expect(revertToSnapshot('mails', mail, laterEvents(getOutcomeEventId(mail._id)), snapshotTime)).toEqual({
      ...mail,
      report: 'due',
    });
    expect(revertToSnapshot('mails', mail, laterEvents(), snapshotTime)).toEqual(mail);
  });
});
