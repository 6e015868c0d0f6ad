import { DEFAULT_CHANNELS, DEFAULT_NOTICE_SETTINGS } from '@atrium/proto-events/notices/kinds';
import { describe, expect, it } from '@jest/globals';
import { type NoticeValues, noticesSchema, suggestDigestTime, valuesOf } from './notices-schema.ts';

const VALUES = valuesOf({ ...DEFAULT_NOTICE_SETTINGS, channels: DEFAULT_CHANNELS, digestTimes: ['08:00'], version: 1 });

const parse = (changed: Partial<NoticeValues>) => noticesSchema.parse({ ...VALUES, ...changed });
const issuesOf = (changed: Partial<NoticeValues>) =>
  noticesSchema
    .safeParse({ ...VALUES, ...changed })
    .error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('noticesSchema', () => {
  it('keeps the choice for pushes, and leaves out kinds that are not shown', () => {
    const silent = { app: false, push: true, email: 'digest' } as const;
    const { channels } = parse({ task_assigned: silent });
    expect(channels).toMatchObject({ task_assigned: silent, task_comment: DEFAULT_CHANNELS.task_comment });
    expect(channels).not.toHaveProperty('security');
  });

  it('sorts the times of digests', () => {
    expect(parse({ digestTimes: ['17:00', '08:30'] })).toMatchObject({ digestTimes: ['08:30', '17:00'] });
  });

  it('sends quiet hours only if they are on', () => {
    const night = { start: '23:00', end: '06:00' };
    expect(parse({ quietHours: { isOn: true, ...night } })).toMatchObject({ quietHours: night });
    expect(parse({ quietHours: { isOn: false, ...night } })).toMatchObject({ quietHours: null });
  });

  it.each<[Partial<NoticeValues>, string, string]>([
    [{ digestTimes: ['08:00', '08:00'] }, 'digestTimes', 'This time is already in the list'],
    [{ digestTimes: ['08:00', ''] }, 'digestTimes', 'Please enter a time'],
    [
      { quietHours: { isOn: true, start: '22:00', end: '22:00' } },
      'quietHours.end',
      'Quiet hours must end at another time',
    ],
    [{ quietHours: { isOn: true, start: '', end: '07:00' } }, 'quietHours.start', 'Please enter a time as HH:MM'],
  ])('rejects %j', (changed, path, message) => {
    expect(issuesOf(changed)?.[0]).toEqual([path, message]);
  });
});

it('suggestDigestTime suggests times that are not in the list, up to four', () => {
  expect(suggestDigestTime(['08:00', '16:00'])).toBe('12:00');
  expect(suggestDigestTime(['08:00', '12:00', '16:00', '20:00'])).toBeUndefined();
});
