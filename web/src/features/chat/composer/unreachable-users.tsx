import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { Suspense } from 'react';
import { lazyNamed } from '#lib/lazy.ts';
import { useUnreachable } from '../mentions/unreachable.ts';

const UnreachableNotice = lazyNamed(() => import('./unreachable-notice.tsx'), 'UnreachableNotice');

export function UnreachableUsers({ conversation, logId }: { conversation: Conversation; logId: string }) {
  const users = useUnreachable(logId);
  if (users.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <UnreachableNotice conversation={conversation} logId={logId} users={users} />
    </Suspense>
  );
}
