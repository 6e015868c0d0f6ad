import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { takeBack } from './changes-after-snapshot.ts';

const cut = new Date('2026-11-23T04:00:00.000Z');
const [before, after] = ['aaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbb'];
const outcomeOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 24);
const sinceOf = (...ids: string[]) => ({ has: (id: string) => ids.includes(id) });

describe('a record of notifications, as it was at the cut', () => {
  it('is left out where its event came after it, whatever its own id adds to that', () => {
    for (const [collection, id] of [
      ['activities', after],
      ['notifications', `${after}:cccccccccccccccccccccccc`],
      ['mailings', `${after}:manager`],
      ['claims', `${after}:manager:cccccccccccccccccccccccc:1`],
    ] as const) {
      expect(takeBack(collection, { _id: id }, sinceOf(after), cut)).toBeUndefined();
      expect(takeBack(collection, { _id: id.replace(after, before) }, sinceOf(after), cut)).toBeDefined();
    }
  });

  it('is unread where it was read after it', () => {
    const record = { _id: `${before}:someone`, read: true };
    const read = (at: string) => takeBack('notifications', { ...record, readAt: new Date(at) }, sinceOf(), cut);
    expect(read('2026-11-23T04:00:00.001Z')).toMatchObject({ read: false, readAt: null });
    expect(read('2026-11-23T04:00:00.000Z')).toMatchObject({ read: true });
  });

  it('tells once more what became of a mail where that was told after it', () => {
    const mail = { _id: `${before}:someone`, state: 'sent', report: 'done' };
    expect(takeBack('mails', mail, sinceOf(outcomeOf(mail._id)), cut)).toEqual({ ...mail, report: 'due' });
    expect(takeBack('mails', mail, sinceOf(), cut)).toEqual(mail);
  });
});
