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
import { recordedReaction } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';

const aboutDocument = ({ documentId, name }: { documentId: string; name: string }) => ({
  resource: 'document',
  id: documentId,
  title: name,
});

async function notifyNewReaders(deps: Deps, event: EventOf<typeof documentShared>): Promise<void> {
  await notifyUsers(deps, {
    event,
    kind: 'documents.document.shared',
    subject: aboutDocument(event.data),
    personIds: event.data.sharedWith,
  });
}

async function notifyOfFailure(deps: Deps, event: EventOf<typeof attachmentSettled>): Promise<void> {
  const { documentId, savedBy, name, failure, isLate } = event.data;
  if (failure === null || !isLate) return;
  await notifyUsers(deps, {
    // Without an actor, so that the user who saved the file is notified.
    event: { ...event, actorId: null },
    kind: 'documents.attachment.failed',
    subject: aboutDocument({ documentId, name }),
    personIds: [savedBy],
    details: { reason: failure },
  });
}

export const documentReactions = (deps: Deps) => [
  recordedReaction(deps, documentUploaded, { about: aboutDocument }),
  recordedReaction(deps, documentUpdated, { about: aboutDocument }),
  recordedReaction(deps, documentShared, { about: aboutDocument, effect: notifyNewReaders }),
  recordedReaction(deps, documentDeleted, { about: aboutDocument }),
  recordedReaction(deps, documentRestored, { about: aboutDocument }),
  on(attachmentSettled, (event) => deps.store.reach(() => notifyOfFailure(deps, event))),
];
