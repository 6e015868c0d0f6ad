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
import { findReducedAudiences, recordReducedAudience } from '../notifications/reduced-audiences.ts';
import { excludeFormer, recordWithdrawal } from '../notifications/withdrawals.ts';
import type { DocumentAudience } from '../store/records.ts';
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
    filterConcerned: (ids) => filterReaders(deps, event, ids),
  });
}

/** A share and the removal of a member get their times from pods whose clocks differ, before they are committed. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Access may end while the event is handled, or before: those of projects and users are in no order with it, and it may
 * be a replayed dead letter.
 */
async function filterReaders(
  { store, directory }: Deps,
  { occurredAt, data }: EventOf<typeof documentShared>,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const { audience, sharedWithProjects: subjectIds = [] } = data;
  const audiences = [audience, ...(await findReducedAudiences(store, data))];
  const readerIds = userIds.filter((id) => audiences.every((readers) => readers && isReader(directory, id, readers)));
  const since = new Date(Date.parse(occurredAt) - CLOCK_TOLERANCE_MS);
  return excludeFormer(store, { subjectIds, since }, readerIds);
}

function isMember(directory: Directory, userId: string, departmentIds: readonly string[]): boolean {
  const department = assignedDepartmentId(directory.user(userId));
  return department !== null && departmentIds.includes(department);
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

/** Withdraws the notifications of those who can no longer read the document. */
async function withdrawFromFormerReaders(deps: Deps, event: Updated): Promise<void> {
  const { id, data } = event;
  const { documentId, currentAudience } = data;
  if (!currentAudience) return;
  await recordReducedAudience(deps.store, { event, audience: currentAudience });
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

function isReader(
  directory: Directory,
  userId: string,
  { everyone, userIds, departmentIds = [] }: DocumentAudience,
): boolean {
  const isAdmin = directory.user(userId)?.role === 'admin';
  return everyone || userIds.includes(userId) || isMember(directory, userId, departmentIds) || isAdmin;
}

async function withdrawDeleted(deps: Deps, event: EventOf<typeof documentDeleted>): Promise<void> {
  const { documentId } = event.data;
  await recordReducedAudience(deps.store, { event });
  await withdrawNotifications(deps, { eventId: event.id, subjectId: documentId, filter: aboutDocument(documentId) });
}

/** Also from those who were notified of the project and of their own share at once. */
async function withdrawFromFormerMembers(deps: Deps, event: EventOf<typeof documentAccessChanged>): Promise<void> {
  const { id, data } = event;
  const { projectId, removedIds } = data;
  if (removedIds.length === 0) return;
  await recordWithdrawal(deps.store, { event, subjectId: projectId, userIds: removedIds });
  for (const userId of removedIds)
    await withdrawNotifications(deps, {
      eventId: id,
      subjectId: userId,
      filter: { personId: userId, resource: 'document', grantedProjectIds: projectId },
    });
}

/**
 * Withdraws the notifications of documents that were shared with other departments. What is stored later is compared with
 * the directory, which already contains the change.
 */
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
