import type { EventOf } from '@atrium/proto-events/event';
import {
  attachmentSettled,
  documentDeleted,
  documentRestored,
  documentShared,
  documentUpdated,
  documentUploaded,
} from '@atrium/proto-events/events/documents';
import { on } from '@atrium/service-kit/messaging/subscription';
import { createRecordedHandler } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';

const documentSubject = ({ documentId, name }: { documentId: string; name: string }) => ({
  resource: 'document',
  id: documentId,
  title: name,
});

async function notifyNewReaders(deps: Deps, event: EventOf<typeof documentShared>): Promise<void> {
  await notifyUsers(deps, {
    event,
    kind: 'documents.document.shared',
    notice: { kind: 'document_shared', reason: 'reader' },
    subject: documentSubject(event.data),
    userIds: event.data.sharedWith,
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

export const documentHandlers = (deps: Deps) => [
  createRecordedHandler(deps, documentUploaded, { toSubject: documentSubject }),
  createRecordedHandler(deps, documentUpdated, { toSubject: documentSubject }),
  createRecordedHandler(deps, documentShared, { toSubject: documentSubject, sideEffect: notifyNewReaders }),
  createRecordedHandler(deps, documentDeleted, { toSubject: documentSubject }),
  createRecordedHandler(deps, documentRestored, { toSubject: documentSubject }),
  on(attachmentSettled, (event) => deps.store.run(() => notifyOfFailure(deps, event))),
];
