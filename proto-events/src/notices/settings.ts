import { z } from 'zod';
import { dayTime, MAX_TIMESTAMP_LENGTH, time } from '../fields.ts';
import {
  CALENDAR_KINDS,
  type ChannelChoice,
  DEFAULT_NOTICE_SETTINGS,
  EMAIL_CHOICES,
  MANDATORY_KINDS,
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeSettings,
} from './kinds.ts';

export const MAX_DIGEST_TIMES = 4;
/** A pause that was forgotten ends. */
const MAX_PAUSE_MS = 30 * 24 * 60 * 60_000;

const channelChoice = z.object({ app: z.boolean(), push: z.boolean(), email: z.enum(EMAIL_CHOICES) });

type Channels = { [Kind in NoticeKind]: typeof channelChoice };

/** An object of known fields: a record would read every field that a request contains. */
const channels = z.object(Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, channelChoice])) as Channels);
const digestTimes = z.array(dayTime).min(1).max(MAX_DIGEST_TIMES);
const quietHours = z.object({ start: dayTime, end: dayTime }).nullable();

/** The settings of notifications that a user has changed; the others are absent. */
export const chosenNotices = z
  .object({
    channels: channels.partial(),
    digestTimes,
    quietHours,
    pausedUntil: time.nullable(),
  })
  .partial();
export type ChosenNotices = z.infer<typeof chosenNotices>;

/** A user's settings of notifications; `version` is that of the user. */
export const noticeSettings = z.object({
  channels: channels.describe('For each kind: the bell, notifications of devices, and emails'),
  digestTimes: z.array(z.string()).describe('Local times of emails that collect notifications, as HH:MM'),
  quietHours: z
    .object({ start: z.string(), end: z.string() })
    .nullable()
    .describe('Local times between which nothing is pushed or emailed'),
  pausedUntil: time.nullable().describe('Until when nothing is pushed or emailed'),
  version: z.int(),
});
export type OwnNotices = z.infer<typeof noticeSettings>;

const isOrdered = (times: readonly string[]) =>
  times.every((at, index) => index === 0 || at > (times[index - 1] ?? ''));

export const updateNoticesBody = z.object({
  channels: channels
    .partial()
    .refine(
      (chosen) => MANDATORY_KINDS.every((kind) => chosen[kind] === undefined),
      'Account security cannot be changed',
    )
    .refine(
      (chosen) => CALENDAR_KINDS.every((kind) => chosen[kind]?.email !== 'digest'),
      'Emails with calendar files cannot be part of a digest',
    )
    .optional(),
  digestTimes: digestTimes.refine(isOrdered, 'Times must be in order').optional(),
  quietHours: quietHours
    .refine((hours) => hours === null || hours.start !== hours.end, 'Quiet hours must end at another time')
    .optional(),
  pausedUntil: time
    .max(MAX_TIMESTAMP_LENGTH)
    .refine((until) => Date.parse(until) <= Date.now() + MAX_PAUSE_MS, 'A pause can last at most 30 days')
    .nullable()
    .optional(),
  version: z.int().optional(),
});

/** Returns what a user has chosen for one kind, or its default. */
export const resolveChannel = (chosen: ChosenNotices | undefined, kind: NoticeKind): ChannelChoice =>
  chosen?.channels?.[kind] ?? DEFAULT_NOTICE_SETTINGS.channels[kind];

/** Replaces the channels of some kinds. */
export function withChannels(
  channels: NoticeSettings['channels'],
  chosen: ChosenNotices['channels'] = {},
): NoticeSettings['channels'] {
  const entries = NOTICE_KINDS.map((kind) => [kind, chosen[kind] ?? channels[kind]] as const);
  return Object.fromEntries(entries) as Record<NoticeKind, ChannelChoice>;
}

/** Adds the defaults to the settings that a user has changed. */
export function resolveNotices(chosen: ChosenNotices = {}): NoticeSettings {
  const { channels, digestTimes, quietHours, pausedUntil } = DEFAULT_NOTICE_SETTINGS;
  return {
    channels: withChannels(channels, chosen.channels),
    digestTimes: chosen.digestTimes ?? digestTimes,
    quietHours: chosen.quietHours ?? quietHours,
    pausedUntil: chosen.pausedUntil ?? pausedUntil,
  };
}
