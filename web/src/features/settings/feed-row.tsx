import type { deleteFeed, Feed } from '@atrium/proto-events/http/meeting-feed';
import { CalendarSync } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useFeed, useUpdateCachedFeed } from '#entities/meeting/use-feed.ts';
import { call } from '#lib/api/api.ts';
import { Button } from '#ui/button.tsx';
import { IconTile } from '#ui/layout/primitives.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { Device, Row } from './session-row.tsx';

/** The calendar link, listed with the sessions because it opens the account's meetings without signing in. */
export function FeedRow({ list }: { list: RefObject<HTMLElement | null> }) {
  const { data } = useFeed();
  return data?.feed ? <ExistingFeed feed={data.feed} list={list} /> : null;
}

function ExistingFeed({ feed: { createdAt, readAt }, list }: { feed: Feed; list: RefObject<HTMLElement | null> }) {
  const [isAsking, setAsking] = useState(false);
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
      <Button size="sm" onPress={() => setAsking(true)} aria-label="Remove calendar link">
        Remove
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
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
