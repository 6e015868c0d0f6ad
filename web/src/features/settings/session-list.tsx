import type { revokeSession, Session } from '@atrium/proto-events/http/auth';
import { LogOut } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useSessions } from '#entities/user/use-people.ts';
import { call } from '#lib/api/api.ts';
import { hasDrafts } from '#lib/forms/drafts.ts';
import { signOutEverywhere } from '#lib/session/session.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { FeedRow } from './feed-row.tsx';
import { SessionRow } from './session-row.tsx';

/** All sessions of the user, with a button to end each. */
export function SessionList() {
  const answer = useSessions();
  const [leaving, setLeaving] = useState<Session | null>(null);
  const [isLeavingAll, setLeavingAll] = useState(false);
  const revoke = useRevokeSession();
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <AsyncContent query={answer} failure="Failed to load sessions" skeletons={<SkeletonRows count={2} />}>
        {({ data: sessions }) => (
          <>
            <ul aria-label="Active sessions" ref={list} tabIndex={-1}>
              {sessions.map((session) => (
                <SessionRow key={session._id} session={session} onSignOut={() => setLeaving(session)} />
              ))}
              <FeedRow list={list} />
            </ul>
            <Everywhere>
              <Button onPress={() => setLeavingAll(true)} icon={<LogOut />}>
                Sign out everywhere
              </Button>
            </Everywhere>
          </>
        )}
      </AsyncContent>
      <ConfirmDialog
        isOpen={isLeavingAll}
        onClose={() => setLeavingAll(false)}
        onConfirm={signOutEverywhere}
        title="Sign out everywhere?"
        action="Sign Out Everywhere"
        failure="Failed to sign out everywhere"
      >
        {hasDrafts()
          ? 'Every device, including this one, will have to sign in again. Unsaved changes and unsent messages will be lost.'
          : 'Every device, including this one, will have to sign in again. Saved work is not lost.'}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={async () => {
          if (leaving) await revoke(leaving);
          showSuccess('Signed out', `${leaving?.device} is no longer signed in.`);
        }}
        title="Sign out this session?"
        action="Sign Out"
        failure="Failed to sign out the session"
        focusAfter={list}
      >
        {`${leaving?.device ?? ''} will have to sign in again. Saved work is not lost.`}
      </ConfirmDialog>
    </>
  );
}

const Everywhere = styled.div`
  display: flex;
  justify-content: flex-end;
  padding: ${theme.space[4]} ${theme.space[6]};
  border-top: 1px solid ${theme.color.line};
  ${theme.media.small} {
    padding: ${theme.space[3]} ${theme.space[4]};
  }
`;

/** Ends one session. */
function useRevokeSession(): (session: Session) => Promise<void> {
  const refresh = useInvalidate();
  const show = useCacheUpdate<Session>('session');
  return async ({ _id }) => {
    await call<typeof revokeSession>('DELETE /auth/sessions/:id', { params: { id: _id } });
    show.gone((other) => other._id === _id);
    refresh('/auth/sessions');
  };
}
