import type { NotificationRecord } from '../store/records.ts';

const KINDS_WITHOUT_MEETING = ['meetings.meeting.cancelled', 'meetings.participant.removed'];

type Subject = Pick<NotificationRecord, 'kind' | 'resource' | 'subjectId' | 'projectId' | 'place'>;

/** Returns where the web app shows the subject of a notification. */
export function notificationPath({ kind, resource, subjectId, projectId, place }: Subject): string {
  if (KINDS_WITHOUT_MEETING.includes(kind)) return '/meetings';
  if (place) {
    const { conversation, seq, thread } = place;
    return thread === undefined
      ? `/chat?c=${conversation}&m=${seq}`
      : `/chat?c=${conversation}&thread=${thread}&r=${seq}`;
  }
  if (resource === 'account') return '/settings#active-sessions';
  if (resource === 'user') return '/user-management';
  if (resource === 'meeting') return `/meetings?meeting=${subjectId}`;
  if (resource === 'document') return `/documents?preview=${subjectId}`;
  if (resource === 'project') return `/progress/${subjectId}`;
  return projectId === undefined ? '/' : `/progress/${projectId}?task=${subjectId}`;
}
