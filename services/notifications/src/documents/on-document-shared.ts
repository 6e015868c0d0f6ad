import type { EventOf } from '@atrium/proto-events/event';
import {
  documentDeleted,
  documentRestored,
  documentShared,
  documentUpdated,
  documentUploaded,
} from '@atrium/proto-events/events/documents';
import { react } from '../activity/react.ts';
import type { Deps } from '../deps.ts';
import { notifyPeople } from '../notifications/notify-people.ts';

const aboutDocument = ({ documentId, name }: { documentId: string; name: string }) => ({
  resource: 'document',
  id: documentId,
  title: name,
});

/** Tells people that a document is open to them now. */
export async function notifyNewReaders(deps: Deps, event: EventOf<typeof documentShared>): Promise<void> {
  await notifyPeople(deps, {
    event,
    kind: 'documents.document.shared',
    subject: aboutDocument(event.data),
    personIds: event.data.sharedWith,
  });
}

export const documentReactions = (deps: Deps) => [
  react(deps, documentUploaded, { about: aboutDocument }),
  react(deps, documentUpdated, { about: aboutDocument }),
  react(deps, documentShared, { about: aboutDocument, effect: notifyNewReaders }),
  react(deps, documentDeleted, { about: aboutDocument }),
  react(deps, documentRestored, { about: aboutDocument }),
];
