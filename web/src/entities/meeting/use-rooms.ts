import type { listRooms } from '@atrium/proto-events/http/rooms';
import { useRead } from '#lib/query/use-read.ts';

export function useRooms() {
  return useRead<typeof listRooms>('GET /meetings/rooms', { query: { limit: 100 } });
}
