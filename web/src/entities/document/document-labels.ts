import type { Document } from '@atrium/proto-events/http/documents';
import { formatNumber } from '#lib/number-formats.ts';
import { daysFromToday, shortDate } from '#ui/times/time-format.ts';

const UNITS = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** '2.4 MB'. */
export function describeSize(bytes: number): string {
  if (bytes <= 0) return '0 Bytes';
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${formatNumber(Number((bytes / 1024 ** power).toFixed(1)))} ${UNITS[power]}`;
}

/**
 * Returns '1 day ago' by the browser's calendar: days below 7 days, weeks below 30 days, then the date; rounds down.
 */
export function describeAge(createdAt: string, now: number): string {
  const days = -daysFromToday(createdAt, new Date(now));
  if (days < 1) return 'Today';
  if (days < 7) return formatAgo(days, 'day');
  if (days < 30) return formatAgo(Math.floor(days / 7), 'week');
  return shortDate(createdAt);
}

const formatAgo = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'} ago`;

/** Splits 'a, b' into trimmed, non-empty tags. */
export function parseTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

export const VISIBILITY_LABELS: Record<Document['visibility'], string> = {
  private: 'Private',
  team: 'Team',
  public: 'Public',
};
