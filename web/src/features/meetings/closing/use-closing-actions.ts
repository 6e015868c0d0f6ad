import type { CallOf } from '@atrium/proto-events/endpoint';
import type { closeMeeting, Decision, reopenMeeting, updateDecision } from '@atrium/proto-events/http/meetings/closing';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';

type CloseBody = CallOf<typeof closeMeeting>['body'];
export type ClosedMeeting = { id: string; body: CloseBody };
type DecisionBody = CallOf<typeof updateDecision>['body'];

export function useClosingActions() {
  const refetch = useRefetch();
  return {
    close: async ({ id, body }: ClosedMeeting, version: number, idempotencyKey: string) => {
      const input = { params: { id }, body: { ...body, version } };
      await call<typeof closeMeeting>('POST /meetings/:id/close', input, idempotencyOptions(idempotencyKey));
      refetch('/meetings');
    },
    reopen: async (id: string) => {
      await call<typeof reopenMeeting>('DELETE /meetings/:id/close', { params: { id } });
      refetch('/meetings');
    },
    decide: async ({ _id: decisionId, meeting }: Decision, body: DecisionBody) => {
      const params = { id: meeting._id, decisionId };
      await call<typeof updateDecision>('PATCH /meetings/:id/decisions/:decisionId', { params, body });
      refetch('/meetings');
    },
  };
}
