import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { listNotifications } from '@atrium/proto-events/http/notifications';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { NotificationRecord } from '../store/records.ts';

type Notification = ResponseOf<typeof listNotifications>['data'][number];

export function presentNotification(directory: Directory, record: NotificationRecord): Notification {
  return {
    _id: record._id,
    kind: record.kind,
    actor: record.actorId ? directory.summary(record.actorId) : null,
    subject: {
      ...{ resource: record.resource, id: record.subjectId, title: record.title },
      ...(record.projectId !== undefined && { project: record.projectId }),
    },
    readAt: record.readAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    ...(record.startsAt && !record.isOvertaken && { startsAt: record.startsAt.toISOString() }),
    ...(record.changed && { changed: record.changed }),
    ...(record.from && { from: record.from.toISOString() }),
    ...(record.aboutUserId && { person: directory.summary(record.aboutUserId) }),
    ...(record.tasks && { tasks: record.tasks }),
    ...(record.reason !== undefined && { reason: record.reason }),
  };
}
