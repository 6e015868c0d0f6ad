import {
  CALENDAR_KINDS,
  type ChannelChoice,
  type EmailChoice,
  type NoticeKind,
} from '@atrium/proto-events/notices/kinds';
import { MAX_DIGEST_TIMES, type OwnNotices, updateNoticesBody } from '@atrium/proto-events/notices/settings';
import type { Control } from 'react-hook-form';
import { z } from 'zod';
import { type FieldTexts, optionText } from '#lib/forms/field-merge.ts';
import { timeOfDay } from '#ui/times/time-format.ts';
import { SHOWN_KINDS, type ShownKind, type ShownKindText } from './notice-kinds.ts';

const EMAIL_OPTIONS: readonly { value: EmailChoice; label: string }[] = [
  { value: 'immediate', label: 'Immediately' },
  { value: 'digest', label: 'In a digest' },
  { value: 'off', label: 'Off' },
];

/** Emails with calendar files cannot be part of a digest. */
export const emailOptions = (kind: NoticeKind) =>
  EMAIL_OPTIONS.filter(({ value }) => value !== 'digest' || !CALENDAR_KINDS.includes(kind));

type QuietValues = { isOn: boolean; start: string; end: string };
export type NoticeValues = Record<ShownKind, ChannelChoice> & { digestTimes: string[]; quietHours: QuietValues };

const NIGHT = { start: '22:00', end: '07:00' };

/** Creates a record with a value for each shown kind. */
const byKind = <Value>(toValue: (text: ShownKindText) => Value) =>
  Object.fromEntries(SHOWN_KINDS.map((text) => [text.kind, toValue(text)])) as Record<ShownKind, Value>;

/** Returns copies, because the form changes its values in place, and the response is shared. */
export function valuesOf({ channels, digestTimes, quietHours }: OwnNotices): NoticeValues {
  return {
    ...byKind(({ kind }) => ({ ...channels[kind] })),
    digestTimes: [...digestTimes],
    quietHours: { isOn: quietHours !== null, ...(quietHours ?? NIGHT) },
  };
}

/** Returns the index of the first time that is missing or a repetition; -1 for none. */
export const findInvalidTime = (times: readonly string[]): number =>
  times.findIndex((time, index) => time === '' || times.indexOf(time) < index);

const SUGGESTED_TIMES = ['08:00', '12:00', '16:00', '20:00'];

/** Suggests one more time for digests; undefined if there are as many as possible. */
export const suggestDigestTime = (times: readonly string[]): string | undefined =>
  times.length < MAX_DIGEST_TIMES ? SUGGESTED_TIMES.find((time) => !times.includes(time)) : undefined;

export const noticesSchema = z.custom<NoticeValues>().transform((values, context) => {
  const { digestTimes, quietHours } = values;
  const invalidTime = digestTimes[findInvalidTime(digestTimes)];
  if (invalidTime !== undefined) {
    const message = invalidTime === '' ? 'Please enter a time' : 'This time is already in the list';
    context.addIssue({ code: 'custom', path: ['digestTimes'], message });
  }
  const result = updateNoticesBody.safeParse({
    channels: byKind(({ kind }) => values[kind]),
    digestTimes: [...digestTimes].sort(),
    quietHours: quietHours.isOn ? { start: quietHours.start, end: quietHours.end } : null,
  });
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) {
    const [field, part = 'end'] = path;
    context.addIssue({
      code: 'custom',
      path: field === 'quietHours' ? [field, part] : ['digestTimes'],
      message,
    });
  }
  return z.NEVER;
});

export type NoticeControl = Control<NoticeValues, unknown, z.output<typeof noticesSchema>>;

const emailText = optionText(EMAIL_OPTIONS);

const onOff = (isOn: boolean) => (isOn ? 'On' : 'Off');

const channelsText = ({ app, push, email }: ChannelChoice): string =>
  `In Atrium: ${onOff(app)}\nDevices: ${onOff(push)}\nEmail: ${emailText(email)}`;

export const NOTICE_FIELDS: FieldTexts<NoticeValues> = {
  ...byKind(({ label }) => ({ label, text: channelsText })),
  digestTimes: { label: 'Digest times', text: (times) => times.map(timeOfDay).join(', ') },
  quietHours: {
    label: 'Quiet hours',
    text: ({ isOn, start, end }) => (isOn ? `${timeOfDay(start)} to ${timeOfDay(end)}` : 'Off'),
  },
};
