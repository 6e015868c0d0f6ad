import {
  ADDRESSED_KINDS,
  CALENDAR_KINDS,
  type ChannelChoice,
  MANDATORY_KINDS,
  type NoticeKind,
  type NoticeLevel,
  type NoticeReason,
  type NoticeSettings,
} from './kinds.ts';
import { PRESENCE_INTERVAL_MS } from './presence.ts';
import { findDigestTime, findUndisturbedTime } from './quiet-times.ts';

/** An event as it concerns one user. */
export type NoticeSituation = {
  kind: NoticeKind;
  reason: NoticeReason;
  /** What the user chose for the conversation, project, document, or meeting. */
  level?: NoticeLevel | undefined;
  settings: NoticeSettings;
  timezone: string;
  /** When a focused window last showed the user their notifications; absent if never. */
  lastSeenAt?: Date | undefined;
  at: Date;
};

/** When the email is due, in which digests collect what is due by then; null for none. */
export type NoticeEmail = { at: Date; isDigest: boolean } | null;

/** When it is pushed; null if it is not. */
export type NoticePush = { at: Date } | null;

export type NoticeDecision = {
  kind: NoticeKind;
  reason: NoticeReason;
  channels: { app: boolean; push: NoticePush; email: NoticeEmail };
};

/**
 * Decides where a user is notified of an event. Mandatory kinds are sent immediately, whatever the user chose. Pauses
 * and quiet hours postpone emails and prevent pushes.
 */
export function decideNotice({ kind, reason, ...situation }: NoticeSituation): NoticeDecision {
  const { settings, timezone, at } = situation;
  if (MANDATORY_KINDS.includes(kind))
    return { kind, reason, channels: { app: true, push: { at }, email: { at, isDigest: false } } };
  const choice = limitToLevel(settings.channels[kind], kind, situation.level);
  const times = { ...situation, undisturbed: findUndisturbedTime(settings, timezone, at) };
  return {
    kind,
    reason,
    channels: {
      app: choice.app,
      push: decidePush(choice, { ...times, canBeSeen: isWithheldIfSeen('push', kind, choice) }),
      email: decideEmail(choice, { ...times, canBeSeen: isWithheldIfSeen('email', kind, choice) }),
    },
  };
}

/** Emails with calendar files are sent at every level, because calendars would be wrong without them. */
function limitToLevel(choice: ChannelChoice, kind: NoticeKind, level: NoticeLevel = 'all'): ChannelChoice {
  if (level === 'all' || (level === 'mentions' && ADDRESSED_KINDS.includes(kind))) return choice;
  return { app: false, push: false, email: CALENDAR_KINDS.includes(kind) ? choice.email : 'off' };
}

/** Whether a user is emailed about events of a kind, immediately or in a digest, at a level. */
export const isEmailed = ({ kind, level, settings }: Pick<NoticeSituation, 'kind' | 'level' | 'settings'>): boolean =>
  MANDATORY_KINDS.includes(kind) || limitToLevel(settings.channels[kind], kind, level).email !== 'off';

export type WithheldChannel = 'push' | 'email';

const SENT_REGARDLESS: Readonly<Record<WithheldChannel, readonly NoticeKind[]>> = {
  push: MANDATORY_KINDS,
  // Calendars depend on the files in some; when a project is created, the app says that its members are emailed.
  email: [...MANDATORY_KINDS, ...CALENDAR_KINDS, 'project_added'],
};

/** Whether there is no push, or no immediate email, of what the user has seen in the app. */
export const isWithheldIfSeen = (
  channel: WithheldChannel,
  kind: NoticeKind,
  { app }: Pick<ChannelChoice, 'app'>,
): boolean => app && !SENT_REGARDLESS[channel].includes(kind);

type Times = Pick<NoticeSituation, 'settings' | 'timezone' | 'lastSeenAt' | 'at'> & {
  undisturbed: Date;
  canBeSeen: boolean;
};

/** Allows for timers and requests that are late. */
const PRESENCE_GRACE_MS = 60_000;
/** Within these times, a window in use shows the notification: usually, and almost certainly. */
const PUSH_DELAY_MS = 5_000;
const EMAIL_DELAY_MS = 10_000;

const isProbablyPresent = ({ canBeSeen, lastSeenAt, at }: Times): boolean =>
  canBeSeen &&
  lastSeenAt !== undefined &&
  at.getTime() - lastSeenAt.getTime() < PRESENCE_INTERVAL_MS + PRESENCE_GRACE_MS;

function decidePush({ push }: ChannelChoice, times: Times): NoticePush {
  const at = times.at.getTime();
  if (!push || times.undisturbed.getTime() !== at) return null;
  return { at: new Date(at + (isProbablyPresent(times) ? PUSH_DELAY_MS : 0)) };
}

function decideEmail({ email }: ChannelChoice, times: Times): NoticeEmail {
  const { settings, timezone, undisturbed, at } = times;
  if (email === 'off') return null;
  if (email === 'digest') return { at: findDigestTime(settings, timezone, at), isDigest: true };
  const earliest = at.getTime() + (isProbablyPresent(times) ? EMAIL_DELAY_MS : 0);
  return { at: new Date(Math.max(undisturbed.getTime(), earliest)), isDigest: false };
}
