import { describe, expect, it } from '@jest/globals';
import { decideNotice, isEmailed, type NoticeSituation } from '../src/notices/decide.ts';
import {
  type ChannelChoice,
  DEFAULT_NOTICE_SETTINGS,
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeSettings,
} from '../src/notices/kinds.ts';
import { findDigestTime, findUndisturbedTime } from '../src/notices/quiet-times.ts';
import { resolveNotices, updateNoticesBody } from '../src/notices/settings.ts';
import { sentences } from './sentences.ts';

const BERLIN = 'Europe/Berlin';
/** A Thursday, 13:00 in Berlin. */
const NOON = '2026-11-26T12:00:00.000Z';

const set = (fields: Partial<NoticeSettings>) => ({ ...DEFAULT_NOTICE_SETTINGS, ...fields });
const choose = (kind: NoticeKind, fields: Partial<ChannelChoice>) =>
  set({
    channels: {
      ...DEFAULT_NOTICE_SETTINGS.channels,
      [kind]: { ...DEFAULT_NOTICE_SETTINGS.channels[kind], ...fields },
    },
  });

type Case = Partial<Omit<NoticeSituation, 'at'>> & { at?: string };

const toTime = (at: Date): string => `${at.toISOString().slice(5, 19).replace(/:00$/, '')}Z`;

/** The channels as text: `app push email 11-26T12:00Z`, or `digest` with the time; a push has one if it waits. */
function decide({ at = NOON, ...fields }: Case): string {
  const situation: NoticeSituation = {
    kind: 'mention',
    reason: 'mentioned',
    settings: DEFAULT_NOTICE_SETTINGS,
    timezone: BERLIN,
    ...fields,
    at: new Date(at),
  };
  const { kind, reason, channels } = decideNotice(situation);
  expect([kind, reason]).toEqual([situation.kind, situation.reason]);
  const { app, push, email } = channels;
  expect(isEmailed(situation)).toBe(email !== null);
  const pushText = push && ['push', push.at > situation.at && toTime(push.at)].filter(Boolean).join(' ');
  const emailText = email && `${email.isDigest ? 'digest' : 'email'} ${toTime(email.at)}`;
  return [app && 'app', pushText, emailText].filter(Boolean).join(' ') || 'nothing';
}

const NIGHT = set({ quietHours: { start: '22:00', end: '07:00' } });
const LUNCH = set({ quietHours: { start: '12:30', end: '13:30' } });
const PAUSED = set({ pausedUntil: '2026-11-26T15:00:00.000Z' });

const NOW = '11-26T12:00Z';

describe('the decision about an event', () => {
  it.each<[label: string, expected: string, situation: Case]>([
    ['a mention', `app push email ${NOW}`, {}],
    ['a direct message', `app push email ${NOW}`, { kind: 'direct_message' }],
    ['a reply in a followed thread', 'app push digest 11-27T07:00Z', { kind: 'thread_reply' }],
    ['a message in a channel', 'nothing', { kind: 'channel_message' }],
    [
      'a mention of a user who probably looks at the app',
      'app push 11-26T12:00:05Z email 11-26T12:00:10Z',
      { lastSeenAt: new Date('2026-11-26T11:57:30.000Z') },
    ],
    [
      'a mention of a user who has not looked at the app for three minutes',
      `app push email ${NOW}`,
      { lastSeenAt: new Date('2026-11-26T11:57:00.000Z') },
    ],
    [
      'a mention that the app does not show',
      `push email ${NOW}`,
      { settings: choose('mention', { app: false }), lastSeenAt: new Date(NOON) },
    ],
    ['account security of such a user', `app push email ${NOW}`, { kind: 'security', lastSeenAt: new Date(NOON) }],
    [
      'an invitation of such a user, whose calendar needs the email',
      `app push 11-26T12:00:05Z email ${NOW}`,
      { kind: 'meeting_invitation', lastSeenAt: new Date(NOON) },
    ],
    [
      'a mention of such a user in quiet hours',
      'app email 11-26T12:30Z',
      { settings: LUNCH, lastSeenAt: new Date(NOON) },
    ],
    [
      'a message in a channel, chosen',
      'app',
      { kind: 'channel_message', settings: choose('channel_message', { app: true }) },
    ],
    ['a reaction', 'app', { kind: 'reaction' }],
    ['a changed task', `app email ${NOW}`, { kind: 'task_changed' }],
    ['a change without emails', 'app', { kind: 'task_changed', settings: choose('task_changed', { email: 'off' }) }],
    ['only emails', `email ${NOW}`, { settings: choose('mention', { app: false, push: false }) }],

    ['a mention in a conversation with mentions only', `app push email ${NOW}`, { level: 'mentions' }],
    ['a direct message in one', 'nothing', { kind: 'direct_message', level: 'mentions' }],
    ['a followed thread in one', 'app push digest 11-27T07:00Z', { kind: 'thread_reply', level: 'mentions' }],
    ['a changed task of such a project', 'nothing', { kind: 'task_changed', level: 'mentions' }],
    ['an assignment in it', `app push email ${NOW}`, { kind: 'task_assigned', level: 'mentions' }],
    [
      'a changed meeting with mentions only, whose calendar needs the email',
      `email ${NOW}`,
      { kind: 'meeting_change', level: 'mentions' },
    ],
    ['its cancellation', `app push email ${NOW}`, { kind: 'meeting_cancellation', level: 'mentions' }],
    ['the cancellation of a muted one', `email ${NOW}`, { kind: 'meeting_cancellation', level: 'none' }],
    ['a reminder of it', 'nothing', { kind: 'meeting_reminder', level: 'none' }],
    ['a mention in a muted conversation', 'nothing', { level: 'none' }],
    ['account security whatever the level', `app push email ${NOW}`, { kind: 'security', level: 'none' }],

    ['a mention outside of quiet hours', `app push email ${NOW}`, { settings: NIGHT }],
    [
      'a mention at the start of quiet hours',
      'app email 11-27T06:00Z',
      { settings: NIGHT, at: '2026-11-26T21:00:00Z' },
    ],
    ['a mention after midnight', 'app email 11-27T06:00Z', { settings: NIGHT, at: '2026-11-27T02:00:00Z' }],
    [
      'a mention at the end of quiet hours',
      'app push email 11-27T06:00Z',
      { settings: NIGHT, at: '2026-11-27T06:00:00Z' },
    ],
    ['a mention in quiet hours of a day', 'app email 11-26T12:30Z', { settings: LUNCH }],
    ['account security in quiet hours', `app push email ${NOW}`, { kind: 'security', settings: LUNCH }],
    ['a digest whose time is not in quiet hours', 'app digest 11-27T07:00Z', { kind: 'thread_reply', settings: LUNCH }],
    [
      'a digest whose time is in quiet hours',
      'app push digest 11-27T08:00Z',
      { kind: 'thread_reply', settings: set({ quietHours: { start: '22:00', end: '09:00' } }) },
    ],

    ['a mention during a pause', 'app email 11-26T15:00Z', { settings: PAUSED }],
    ['a mention after a pause', 'app push email 11-26T15:00Z', { settings: PAUSED, at: '2026-11-26T15:00:00Z' }],
    [
      'a pause that ends in quiet hours',
      'app email 11-27T06:00Z',
      { settings: { ...NIGHT, pausedUntil: '2026-11-26T22:30:00.000Z' } },
    ],
    [
      'a digest during a pause of days',
      'app digest 12-02T07:00Z',
      { kind: 'thread_reply', settings: set({ pausedUntil: '2026-12-01T12:00:00.000Z' }) },
    ],
  ])('is for %s: %s', (_label, expected, situation) => {
    expect(decide(situation)).toBe(expected);
  });

  it('exists for every kind', () => {
    for (const kind of NOTICE_KINDS) expect(decide({ kind })).not.toBe('');
    expect(decide({ kind: 'mention', settings: choose('mention', { app: false, push: false, email: 'off' }) })).toBe(
      'nothing',
    );
  });
});

describe('the end of quiet hours', () => {
  it.each([
    ['when the clock is set forward', BERLIN, '2027-03-27T22:00:00Z', '07:00', '2027-03-28T05:00:00.000Z'],
    ['when the clock is set back', BERLIN, '2026-10-24T21:00:00Z', '07:00', '2026-10-25T06:00:00.000Z'],
    ['in the hour that a day skips', BERLIN, '2027-03-27T22:00:00Z', '02:30', '2027-03-28T01:30:00.000Z'],
    [
      'in the hour that a day repeats, the first time',
      BERLIN,
      '2026-10-24T22:00:00Z',
      '02:30',
      '2026-10-25T00:30:00.000Z',
    ],
    ['in a zone half an hour apart', 'Asia/Kolkata', '2026-11-26T18:00:00Z', '07:00', '2026-11-27T01:30:00.000Z'],
  ])('is right %s', (_label, timezone, at, end, expected) => {
    const settings = set({ quietHours: { start: '22:00', end } });
    expect(findUndisturbedTime(settings, timezone, new Date(at)).toISOString()).toBe(expected);
  });

  it('is never before the event, even in an hour that is repeated', () => {
    const settings = set({ quietHours: { start: '22:00', end: '02:30' } });
    // From 01:30 before the change to 03:00 after it, in minutes.
    for (let minute = 0; minute < 150; minute += 1) {
      const at = new Date(Date.parse('2026-10-24T23:30:00Z') + minute * 60_000);
      expect(findUndisturbedTime(settings, BERLIN, at).getTime()).toBeGreaterThanOrEqual(at.getTime());
    }
  });
});

describe('the time of a digest', () => {
  const settings = set({ digestTimes: ['08:00', '17:30'] });
  it.each([
    ['the first of the day', '2026-11-26T06:59:00Z', '2026-11-26T07:00:00.000Z'],
    ['the next of the day', '2026-11-26T07:00:00Z', '2026-11-26T16:30:00.000Z'],
    ['the first of the next day', '2026-11-26T16:30:00Z', '2026-11-27T07:00:00.000Z'],
    ['after the clock is set forward', '2027-03-27T20:00:00Z', '2027-03-28T06:00:00.000Z'],
  ])('is %s', (_label, at, expected) => {
    expect(findDigestTime(settings, BERLIN, new Date(at)).toISOString()).toBe(expected);
  });
});

describe('settings of notifications', () => {
  it('are completed with the defaults', () => {
    const mention: ChannelChoice = { app: true, push: false, email: 'off' };
    const settings = resolveNotices({ channels: { mention }, digestTimes: ['12:00'] });
    expect(settings).toEqual({ ...choose('mention', mention), digestTimes: ['12:00'] });
    expect(resolveNotices()).toEqual(DEFAULT_NOTICE_SETTINGS);
  });

  it.each<[sentence: string, body: object]>([
    ['Account security cannot be changed', { channels: { security: { app: false, push: false, email: 'off' } } }],
    [
      'Emails with calendar files cannot be part of a digest',
      { channels: { meeting_change: { app: true, push: true, email: 'digest' } } },
    ],
    ['A pause can last at most 30 days', { pausedUntil: '2999-01-01T00:00:00.000Z' }],
    ['Times must be in order', { digestTimes: ['17:00', '08:00'] }],
    ['Times must be in order', { digestTimes: ['08:00', '08:00'] }],
    ['Please enter a time as HH:MM', { digestTimes: ['8:00'] }],
    ['Quiet hours must end at another time', { quietHours: { start: '22:00', end: '22:00' } }],
  ])('are rejected with “%s”: %j', (sentence, body) => {
    expect(sentences(updateNoticesBody, body)).toEqual([sentence]);
  });
});
