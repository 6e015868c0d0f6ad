import { isDeepStrictEqual } from 'node:util';
import type { EventOf } from '@atrium/proto-events/event';
import type { emailsUnsubscribed } from '@atrium/proto-events/events/notifications';
import {
  DEFAULT_NOTICE_SETTINGS,
  MANDATORY_KINDS,
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeSettings,
} from '@atrium/proto-events/notices/kinds';
import {
  type ChosenNotices,
  type OwnNotices,
  resolveNotices,
  type updateNoticesBody,
  withChannels,
} from '@atrium/proto-events/notices/settings';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { applyPreferences, changePreferences } from './preferences.ts';
import { findUser, lockUser, type UserRow } from './user-repository.ts';

type NoticesBody = z.output<typeof updateNoticesBody>;

export async function getNotices({ db }: Deps, { userId }: Caller): Promise<OwnNotices> {
  const row = await findUser(db, userId);
  if (!row) throw notFound('User');
  return presentNotices(row);
}

export async function updateNotices(
  { db }: Deps,
  { userId }: Caller,
  { version, ...body }: NoticesBody,
): Promise<OwnNotices> {
  const after = await changePreferences(db, userId, {
    version,
    label: 'your notification settings',
    present: presentNotices,
    change: (before) => ({ notices: withUpdates(before, body) }),
  });
  return presentNotices(after);
}

/** Turns off emails of some kinds, as a link in one of them requested. Does nothing if the user was deleted. */
export async function turnOffEmails({ data }: EventOf<typeof emailsUnsubscribed>, tx: Queryable): Promise<void> {
  const before = await lockUser(tx, data.userId);
  if (!before) return;
  const { channels } = resolveNotices(before.preferences.notices);
  const isChangeable = (kind: NoticeKind) => !MANDATORY_KINDS.includes(kind);
  const turnedOff = data.kinds.filter(isChangeable).map((kind) => [kind, { ...channels[kind], email: 'off' }] as const);
  await applyPreferences(tx, before, { notices: withUpdates(before, { channels: Object.fromEntries(turnedOff) }) });
}

const presentNotices = ({ preferences, version }: UserRow): OwnNotices => ({
  ...(resolveNotices(preferences.notices) as Omit<OwnNotices, 'version'>),
  version,
});

const withUpdates = ({ preferences }: UserRow, body: Omit<NoticesBody, 'version'>): ChosenNotices =>
  toChosen(applyBody(resolveNotices(preferences.notices), body));

const applyBody = (current: NoticeSettings, { channels, ...others }: Omit<NoticesBody, 'version'>): NoticeSettings => ({
  ...current,
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
  channels: withChannels(current.channels, channels),
});

/** Omits values equal to the defaults, so that users who did not change them follow later defaults. */
function toChosen(settings: NoticeSettings): ChosenNotices {
  const channels = NOTICE_KINDS.filter(
    (kind) => !isDeepStrictEqual(settings.channels[kind], DEFAULT_NOTICE_SETTINGS.channels[kind]),
  ).map((kind) => [kind, settings.channels[kind]]);
  const isDefault = (name: 'digestTimes' | 'quietHours' | 'pausedUntil') =>
    isDeepStrictEqual(settings[name], DEFAULT_NOTICE_SETTINGS[name]);
  return {
    ...(channels.length > 0 && { channels: Object.fromEntries(channels) }),
    ...(!isDefault('digestTimes') && { digestTimes: [...settings.digestTimes] }),
    ...(!isDefault('quietHours') && { quietHours: settings.quietHours }),
    ...(!isDefault('pausedUntil') && { pausedUntil: settings.pausedUntil }),
  };
}
