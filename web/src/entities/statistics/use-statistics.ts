import type { getActivityHistory } from '@atrium/proto-events/http/activity';
import type { getAttachmentHistory } from '@atrium/proto-events/http/chat/attachments';
import type { getStorageHistory } from '@atrium/proto-events/http/documents';
import type { getUserHistory } from '@atrium/proto-events/http/users';
import { REFETCH_WHEN_SHOWN } from '#lib/query/swr-config.ts';
import { useRead } from '#lib/query/use-read.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';

// Statistics for administrators, by days in the time zone of the browser.

export const useUserHistory = () =>
  useRead<typeof getUserHistory>('GET /users/stats/history', { query: { timezone: browserTimeZone() } });

export const useDocumentStorage = () =>
  useRead<typeof getStorageHistory>(
    'GET /documents/stats/history',
    { query: { timezone: browserTimeZone() } },
    REFETCH_WHEN_SHOWN,
  );

export const useMessageStorage = () =>
  useRead<typeof getAttachmentHistory>(
    'GET /chat/attachments/history',
    { query: { timezone: browserTimeZone() } },
    REFETCH_WHEN_SHOWN,
  );

export const useActivityHistory = (days: number) =>
  useRead<typeof getActivityHistory>(
    'GET /activity/history',
    { query: { timezone: browserTimeZone(), days } },
    REFETCH_WHEN_SHOWN,
  );
