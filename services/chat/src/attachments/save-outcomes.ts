import type { EventOf } from '@atrium/proto-events/event';
import type { attachmentSettled } from '@atrium/proto-events/events/documents';

type Settled = EventOf<typeof attachmentSettled>['data'];

/** Outcomes of the saves that requests on this pod are waiting for. */
export type SaveOutcomes = {
  /** Call it before publishing the save. Resolves with the outcome, or undefined after the timeout. */
  expect(documentId: string, ms: number): Promise<Settled | undefined>;
  settle(outcome: Settled): void;
};

export function createSaveOutcomes(): SaveOutcomes {
  const waiting = new Map<string, (outcome: Settled) => void>();
  return {
    async expect(documentId, ms) {
      const { promise, resolve } = Promise.withResolvers<Settled | undefined>();
      waiting.set(documentId, resolve);
      const timer = setTimeout(() => resolve(undefined), ms).unref();
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(documentId);
      });
    },
    settle: (outcome) => waiting.get(outcome.documentId)?.(outcome),
  };
}
