import type { CallOf } from '@atrium/proto-events/endpoint';
import type { createRoom, deleteRoom, updateRoom } from '@atrium/proto-events/http/rooms';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';

/** Mutations of rooms. Meetings include their room, so they are refetched, too. */
export function useRoomActions() {
  const refresh = useInvalidate();
  return {
    create: async (body: CallOf<typeof createRoom>['body'], idempotencyKey: string) => {
      await call<typeof createRoom>('POST /meetings/rooms', { body }, idempotencyOptions(idempotencyKey));
      refresh('/meetings');
    },
    update: async (id: string, body: CallOf<typeof updateRoom>['body']) => {
      await call<typeof updateRoom>('PATCH /meetings/rooms/:id', { params: { id }, body });
      refresh('/meetings');
    },
    remove: async (id: string) => {
      await call<typeof deleteRoom>('DELETE /meetings/rooms/:id', { params: { id } });
      refresh('/meetings');
    },
  };
}
