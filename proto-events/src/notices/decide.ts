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
import { findDigestTime, findUndisturbedTime } from './quiet-times.ts';

/** An event as it concerns one user. */
export type NoticeSituation = {
  kind: NoticeKind;
  reason: NoticeReason;
  /** What the user chose for the conversation, project, document, or meeting. */
  level?: NoticeLevel | undefined;
  settings: NoticeSettings;
  timezone: string;
  /** When a browser last showed the user their notifications; absent if never. */
  lastSeenAt?: Date | undefined;
  at: Date;
};

/** When the email is due, in which digests collect what is due by then; null for none. */
export type NoticeEmail = { at: Date; isDigest: boolean } | null;

export type NoticeDecision = {
  kind: NoticeKind;
  reason: NoticeReason;
  channels: { app: boolean; push: boolean; email: NoticeEmail };
};

const NOTHING: ChannelChoice = { app: false, push: false, email: 'off' };

/**
 * Decides where a user is notified of an event. Mandatory kinds are sent immediately, whatever the user chose. Pauses
 * and quiet hours postpone emails and prevent pushes.
 */
export function decideNotice({ kind, reason, ...situation }: NoticeSituation): NoticeDecision {
  const { settings, timezone, at } = situation;
  if (MANDATORY_KINDS.includes(kind))
    return { kind, reason, channels: { app: true, push: true, email: { at, isDigest: false } } };
  const choice = passesLevel(kind, situation.level) ? settings.channels[kind] : NOTHING;
  const undisturbed = findUndisturbedTime(settings, timezone, at);
  return {
    kind,
    reason,
    channels: {
      app: choice.app,
      push: choice.push && undisturbed.getTime() === at.getTime(),
      email: decideEmail(choice, { ...situation, undisturbed, canBeSeen: isNotEmailedIfSeen(kind, choice) }),
    },
  };
}

function passesLevel(kind: NoticeKind, level: NoticeLevel = 'all'): boolean {
  return level === 'all' || (level === 'mentions' && ADDRESSED_KINDS.includes(kind));
}

/** Calendars depend on the files in some; when a project is created, the app says that its members are emailed. */
const EMAILED_REGARDLESS: readonly NoticeKind[] = [...MANDATORY_KINDS, ...CALENDAR_KINDS, 'project_added'];

/** Whether there is no immediate email of what the user has seen in the app. */
export const isNotEmailedIfSeen = (kind: NoticeKind, { app }: Pick<ChannelChoice, 'app'>): boolean =>
  app && !EMAILED_REGARDLESS.includes(kind);

type EmailTimes = Pick<NoticeSituation, 'settings' | 'timezone' | 'lastSeenAt' | 'at'> & {
  undisturbed: Date;
  canBeSeen: boolean;
};

/** Users who have seen their notifications within this time may have the app open. */
const ACTIVE_MS = 24 * 60 * 60_000;
/** Within this time, an open app shows the notification. */
const SEEN_WITHIN_MS = 10_000;

function decideEmail({ email }: ChannelChoice, { settings, timezone, at, ...times }: EmailTimes): NoticeEmail {
  if (email === 'off') return null;
  if (email === 'digest') return { at: findDigestTime(settings, timezone, at), isDigest: true };
  const { undisturbed, lastSeenAt, canBeSeen } = times;
  const isPossiblyActive = canBeSeen && lastSeenAt !== undefined && at.getTime() - lastSeenAt.getTime() < ACTIVE_MS;
  const earliest = at.getTime() + (isPossiblyActive ? SEEN_WITHIN_MS : 0);
  return { at: new Date(Math.max(undisturbed.getTime(), earliest)), isDigest: false };
}
