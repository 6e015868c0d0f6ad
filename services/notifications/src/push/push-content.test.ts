import type { Directory } from '@atrium/service-kit/directory/directory';
import { expect, it } from '@jest/globals';
import { noticeSentence } from '../email/templates/notice-email.ts';
import type { NotificationRecord } from '../store/records.ts';
import { toPushContent } from './push-content.ts';

it('a push and an email show the day on which a task is due, in any time zone', () => {
  const dueDate = new Date('2026-12-04T00:00:00.000Z');
  const record: NotificationRecord = {
    _id: 'a',
    personId: 'b',
    kind: 'projects.task.due',
    actorId: null,
    resource: 'task',
    subjectId: 'c',
    title: 'Draw the plan',
    read: false,
    readAt: null,
    createdAt: new Date(),
    dueDate,
  };
  expect(toPushContent({ user: () => undefined } as unknown as Directory, record, 1)).toMatchObject({
    title: 'Due on Friday, December 4, 2026',
    text: 'Draw the plan',
  });
  const item = { kind: record.kind, actor: null, title: record.title, path: '/', dueDate: dueDate.toISOString() };
  expect(noticeSentence(item)).toBe('Due on Friday, December 4, 2026: Draw the plan');
});
