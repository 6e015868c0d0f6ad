import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listSessions as listContract, Session } from '@atrium/proto-events/http/auth';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { type ListedSession, listSessionRows } from './session-repository.ts';

type Query = RequestOf<typeof listContract>['query'];

export async function listSessions({ db }: Deps, { userId, sessionId }: Caller, query: Query) {
  const { rows, total } = await listSessionRows(db, userId, toLimits(query));
  return toPage(
    rows.map((row) => presentSession(row, sessionId)),
    total,
    query,
  );
}

function presentSession(row: ListedSession, currentId: string): Session {
  return {
    _id: row.id,
    device: row.device ?? 'Unknown device',
    address: row.address,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    current: row.id === currentId,
  };
}
