import { useMemo, useSyncExternalStore } from 'react';
import type { Upload } from '../../../lib/uploads/upload-queue.ts';
import type { Pending } from '../log/message-log.ts';
import { type Outgoing, outbox } from './outbox.ts';

const idsOf = (conversation: string) =>
  outbox
    .current()
    .filter(({ item }) => item.conversation === conversation)
    .map(({ item }) => item.clientMessageId)
    .join();

/** Messages with files that are on their way; how far they are, each row asks for itself. */
export function useOutgoing(conversation: string): readonly Pending[] {
  const ids = useSyncExternalStore(outbox.subscribe, () => idsOf(conversation));
  return useMemo(
    () =>
      outbox
        .current()
        .filter(({ item }) => ids.includes(item.clientMessageId))
        .map(({ item: { clientMessageId, content, createdAt } }) => ({
          clientMessageId,
          content,
          createdAt,
          hasFiles: true,
        })),
    [ids],
  );
}

/** One of them as it stands; undefined once it is there or was taken off. */
export function useUpload(clientMessageId: string): Upload<Outgoing> | undefined {
  return useSyncExternalStore(outbox.subscribe, () =>
    outbox.current().find(({ item }) => item.clientMessageId === clientMessageId),
  );
}
