import type { revokeSession, Session } from '@atrium/proto-events/http/auth';
import type { deleteFeed, Feed } from '@atrium/proto-events/http/meetings/calendar-feed';
import { CalendarSync, Laptop, LogOut, Smartphone } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useFeed, useUpdateCachedFeed } from '#entities/meeting/use-feed.ts';
import { useSessions } from '#entities/user/use-users.ts';
import { call } from '#lib/api/api.ts';
import { hasDrafts } from '#lib/forms/drafts.ts';
import { signOutEverywhere } from '#lib/session/session.ts';
import { useWrite } from '#realtime/use-write.ts';
import { Button } from '#ui/button.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { captionStyles, dividedStyles, inlineStyles } from '#ui/mixins.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

export function SessionList() {
  const sessions = useSessions();
  const [sessionToEnd, setSessionToEnd] = useState<Session | null>(null);
  const [isLeavingAll, setLeavingAll] = useState(false);
  const revoke = useRevokeSession();
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <AsyncContent query={sessions} failure="Failed to load sessions" skeletons={<SkeletonRows count={2} />}>
        {({ data }) => (
          <>
            <ul aria-label="Active sessions" ref={list} tabIndex={-1}>
              {data.map((session) => (
                <SessionRow key={session._id} session={session} onSignOut={() => setSessionToEnd(session)} />
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
        isOpen={sessionToEnd !== null}
        onClose={() => setSessionToEnd(null)}
        onConfirm={async () => {
          if (sessionToEnd) await revoke(sessionToEnd);
          showSuccess('Signed out', `${sessionToEnd?.device} is no longer signed in.`);
        }}
        title="Sign out this session?"
        action="Sign Out"
        failure="Failed to sign out the session"
        focusAfter={list}
      >
        {`${sessionToEnd?.device ?? ''} will have to sign in again. Saved work is not lost.`}
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

function useRevokeSession(): (session: Session) => Promise<void> {
  const write = useWrite<Session>('session');
  return async ({ _id }) => {
    await call<typeof revokeSession>('DELETE /auth/sessions/:id', { params: { id: _id } });
    write.deleted((other) => other._id === _id);
    write.refetch('/auth/sessions');
  };
}

type SessionRowProps = { session: Session; onSignOut: () => void };

function SessionRow({ session, onSignOut }: SessionRowProps) {
  const { device, address, createdAt, lastUsedAt, current } = session;
  const isPhone = /iPhone|iPad|Android/.test(device);
  return (
    <Row>
      <IconTile $size={36} aria-hidden="true">
        {isPhone ? <Smartphone /> : <Laptop />}
      </IconTile>
      <div>
        <Device>
          {device}
          {current && <Pill tone="success">This device</Pill>}
        </Device>
        <p>
          {address && `${address} · `}
          Signed in <RelativeTime time={createdAt} />
          {' · '}
          {current ? 'Active now' : <LastUsed time={lastUsedAt} />}
        </p>
      </div>
      {!current && (
        <Button size="sm" onPress={onSignOut} aria-label={`Sign out ${device}`}>
          Sign out
        </Button>
      )}
    </Row>
  );
}

function LastUsed({ time }: { time: string }) {
  return (
    <>
      Last used <RelativeTime time={time} />
    </>
  );
}

export const Row = styled.li`
  ${inlineStyles(4)}
  padding: ${theme.space[4]} ${theme.space[6]};
  ${dividedStyles}
  > div {
    flex: 1;
    min-width: 0;
  }
  p {
    margin-top: 2px;
    ${captionStyles}
    font-variant-numeric: tabular-nums;
  }
  ${theme.media.small} {
    align-items: flex-start;
    gap: ${theme.space[3]};
    padding: ${theme.space[3]} ${theme.space[4]};
  }
`;

const Device = styled.strong`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[1]} ${theme.space[2]};
  font-weight: 500;
`;

/** The calendar link, listed with the sessions because it opens the account's meetings without signing in. */
function FeedRow({ list }: { list: RefObject<HTMLElement | null> }) {
  const { data } = useFeed();
  return data?.feed ? <ExistingFeed feed={data.feed} list={list} /> : null;
}

function ExistingFeed({ feed: { createdAt, readAt }, list }: { feed: Feed; list: RefObject<HTMLElement | null> }) {
  const [isConfirming, setConfirming] = useState(false);
  const show = useUpdateCachedFeed();
  const remove = async () => {
    await call<typeof deleteFeed>('DELETE /meetings/feed', {});
    show(null);
    showSuccess('Calendar link removed', 'No calendar can read your meetings anymore.');
  };
  return (
    <Row>
      <IconTile $size={36} aria-hidden="true">
        <CalendarSync />
      </IconTile>
      <div>
        <Device>Calendar link</Device>
        <p>
          Created <RelativeTime time={createdAt} />
          {' · '}
          {readAt ? <LastRead time={readAt} /> : 'Never read'}
        </p>
      </div>
      <Button size="sm" onPress={() => setConfirming(true)} aria-label="Remove calendar link">
        Remove
      </Button>
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={remove}
        title="Remove the calendar link?"
        action="Remove Link"
        failure="Failed to remove the calendar link"
        focusAfter={list}
      >
        Calendars that use it will no longer be updated.
      </ConfirmDialog>
    </Row>
  );
}

function LastRead({ time }: { time: string }) {
  return (
    <>
      Last read <RelativeTime time={time} />
    </>
  );
}
