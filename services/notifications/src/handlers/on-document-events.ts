import type { EventOf } from '@atrium/proto-events/event';
import {
  attachmentSettled,
  documentAccessChanged,
  documentDeleted,
  documentRestored,
  documentShared,
  documentUpdated,
  documentUploaded,
} from '@atrium/proto-events/events/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { assignedDepartmentId } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { on } from '@atrium/service-kit/messaging/subscription';
import { createRecordedHandler } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers, withdrawNotifications } from '../notifications/notify-users.ts';
import { anyOf } from '../store/store.ts';

const documentSubject = ({ documentId, name }: { documentId: string; name: string }) => ({
  resource: 'document',
  id: documentId,
  title: name,
});

async function notifyNewReaders(deps: Deps, event: EventOf<typeof documentShared>): Promise<void> {
  const { sharedWith, sharedWithProjects, sharedWithDepartments } = event.data;
  await notifyUsers(deps, {
    event,
    kind: 'documents.document.shared',
    notice: { kind: 'document_shared', reason: 'reader' },
    subject: documentSubject(event.data),
    userIds: sharedWith,
    details: {
      ...(sharedWithProjects && { grantedProjectIds: sharedWithProjects }),
      ...(sharedWithDepartments && { grantedDepartmentIds: sharedWithDepartments }),
    },
  });
}

async function notifyOfFailure(deps: Deps, event: EventOf<typeof attachmentSettled>): Promise<void> {
  const { documentId, savedBy, name, failure, isLate } = event.data;
  if (failure === null || !isLate) return;
  await notifyUsers(deps, {
    // Omits the actor so that the user who saved the file is notified.
    event: { ...event, actorId: null },
    kind: 'documents.attachment.failed',
    subject: documentSubject({ documentId, name }),
    userIds: [savedBy],
    details: { reason: failure },
  });
}

type Updated = EventOf<typeof documentUpdated>;
type Audience = Updated['data']['audience'];

/** Withdraws the notifications of those who can no longer read the document. */
async function withdrawFromFormerReaders(deps: Deps, { id, data }: Updated): Promise<void> {
  const { documentId, currentAudience } = data;
  if (!currentAudience) return;
  const filter = aboutDocument(documentId);
  const notified = await deps.store.notifications.find(filter, { personId: 1 }).lean();
  const userIds = new Set(notified.map(({ personId }) => personId));
  const formerIds = [...userIds].filter((userId) => !isReader(deps.directory, userId, currentAudience));
  if (formerIds.length === 0) return;
  await withdrawNotifications(deps, {
    eventId: id,
    subjectId: documentId,
    filter: { ...filter, personId: anyOf(formerIds) },
  });
}

const aboutDocument = (documentId: string) => ({ subjectId: documentId, resource: 'document' });

function isReader(directory: Directory, userId: string, { everyone, userIds, departmentIds = [] }: Audience): boolean {
  const user = directory.user(userId);
  const department = assignedDepartmentId(user);
  const isMember = department !== null && departmentIds.includes(department);
  return everyone || userIds.includes(userId) || isMember || user?.role === 'admin';
}

const withdrawDeleted = (deps: Deps, { id, data: { documentId } }: EventOf<typeof documentDeleted>) =>
  withdrawNotifications(deps, { eventId: id, subjectId: documentId, filter: aboutDocument(documentId) });

/** Also from those who were notified of the project and of their own share at once. */
async function withdrawFromFormerMembers(
  deps: Deps,
  { id, data }: EventOf<typeof documentAccessChanged>,
): Promise<void> {
  const { projectId, removedIds } = data;
  for (const userId of removedIds)
    await withdrawNotifications(deps, {
      eventId: id,
      subjectId: userId,
      filter: { personId: userId, resource: 'document', grantedProjectIds: projectId },
    });
}

/** Withdraws the notifications of documents that were shared with other departments. */
export async function withdrawFromFormerColleague(
  deps: Deps,
  { eventId, user }: { eventId: string; user: DirectoryUser },
): Promise<void> {
  const userId = user._id;
  const department = assignedDepartmentId(user);
  await withdrawNotifications(deps, {
    eventId,
    subjectId: userId,
    filter: {
      personId: userId,
      resource: 'document',
      grantedDepartmentIds: { $exists: true, ...(department !== null && { $ne: department }) },
    },
  });
}

export const documentHandlers = (deps: Deps) => [
  createRecordedHandler(deps, documentUploaded, { toSubject: documentSubject }),
  createRecordedHandler(deps, documentUpdated, { toSubject: documentSubject, sideEffect: withdrawFromFormerReaders }),
  createRecordedHandler(deps, documentShared, { toSubject: documentSubject, sideEffect: notifyNewReaders }),
  createRecordedHandler(deps, documentDeleted, { toSubject: documentSubject, sideEffect: withdrawDeleted }),
  createRecordedHandler(deps, documentRestored, { toSubject: documentSubject }),
  on(documentAccessChanged, (event) => deps.store.run(() => withdrawFromFormerMembers(deps, event))),
  on(attachmentSettled, (event) => deps.store.run(() => notifyOfFailure(deps, event))),
];
