import type { createFeed, deleteFeed, Feed } from '@atrium/proto-events/http/meetings/calendar-feed';
import { CalendarPlus, CalendarSync } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { useFeed, useUpdateCachedFeed } from '#entities/meeting/use-feed.ts';
import { API_PREFIX, call } from '#lib/api/api.ts';
import { Button, buttonStyles } from '#ui/button.tsx';
import { CopyableLink } from '#ui/fields/copyable-link.tsx';
import { Stack } from '#ui/layout/primitives.ts';
import { FormFailure, Notice } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

type FeedAddresses = { https: string; webcal: string };

function useFeedActions() {
  const show = useUpdateCachedFeed();
  return {
    /** Replaces an existing feed. Only this response contains the secret. */
    replace: async (): Promise<FeedAddresses> => {
      const { feed, token } = await call<typeof createFeed>('POST /meetings/feed', {});
      show(feed);
      const https = `${window.location.origin}${API_PREFIX}/meetings/feed/${token}.ics`;
      return { https, webcal: https.replace(/^https?:/, 'webcal:') };
    },
    remove: async (): Promise<void> => {
      await call<typeof deleteFeed>('DELETE /meetings/feed', {});
      show(null);
    },
  };
}

function NewFeed({ addresses: { https, webcal } }: { addresses: FeedAddresses }) {
  return (
    <Stack $gap={4}>
      <Notice>
        You won’t see this link again. Anyone who has it can read your meetings, so add it to your own calendar and
        don’t share it.
      </Notice>
      <CopyableLink
        label="Calendar link"
        url={https}
        description="Google Calendar: Other calendars, From URL. Outlook: Add calendar, Subscribe from web."
      />
      <CopyableLink
        label="Link for Apple Calendar and others"
        url={webcal}
        description="Calendar apps on this device can add it with one click."
      />
      <Open href={webcal} $variant="secondary" $size="md" $full={false}>
        <CalendarPlus aria-hidden="true" />
        Open in calendar app
      </Open>
    </Stack>
  );
}

const Open = styled.a<{ $variant: 'secondary'; $size: 'md'; $full: boolean }>`
  ${buttonStyles}
  justify-self: start;
  &:hover {
    text-decoration: none;
    background: ${theme.color.sunken};
  }
`;

const CREATION_FAILED = 'Failed to create the calendar link';

export function CalendarFeed() {
  const query = useFeed();
  const { replace } = useFeedActions();
  const [addresses, setAddresses] = useState<FeedAddresses>();
  const [confirming, setConfirming] = useState<'replace' | 'remove'>();
  const create = useAction(async () => setAddresses(await replace()), CREATION_FAILED);
  return (
    <Panel $gap={4}>
      <AsyncContent query={query} failure="Failed to load the calendar link" skeletons={<SkeletonRows count={1} />}>
        {({ feed }) => (
          <>
            {feed && addresses && <NewFeed addresses={addresses} />}
            <State feed={feed} />
            <FormFailure failure={create.failure} />
            <footer>
              {feed ? (
                <>
                  <Button onPress={() => setConfirming('remove')}>Remove Link</Button>
                  <Button onPress={() => setConfirming('replace')}>Replace Link</Button>
                </>
              ) : (
                <Button
                  variant="primary"
                  icon={<CalendarSync />}
                  isBusy={create.isBusy}
                  onPress={() => void create.run()}
                >
                  Create Link
                </Button>
              )}
            </footer>
          </>
        )}
      </AsyncContent>
      <Confirmations confirming={confirming} onClose={() => setConfirming(undefined)} onCreated={setAddresses} />
    </Panel>
  );
}

function State({ feed }: { feed: Feed | null }) {
  if (!feed)
    return (
      <p>
        Subscribe to your meetings in Google Calendar, Outlook, or Apple Calendar. Changes and responses are kept in
        sync; notes are not included.
      </p>
    );
  return (
    <p>
      Link created <RelativeTime time={feed.createdAt} />
      {' · '}
      {feed.readAt ? (
        <>
          Last read by a calendar <RelativeTime time={feed.readAt} />
        </>
      ) : (
        'Not read by any calendar yet'
      )}
    </p>
  );
}

type ConfirmationsProps = {
  confirming: 'replace' | 'remove' | undefined;
  onClose: () => void;
  onCreated: (addresses: FeedAddresses | undefined) => void;
};

function Confirmations({ confirming, onClose, onCreated }: ConfirmationsProps) {
  const { replace, remove } = useFeedActions();
  return (
    <>
      <ConfirmDialog
        isOpen={confirming === 'replace'}
        onClose={onClose}
        onConfirm={async () => onCreated(await replace())}
        title="Replace the calendar link?"
        action="Replace Link"
        failure={CREATION_FAILED}
      >
        Calendars that use the current link will no longer be updated. The new link will be shown here.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={confirming === 'remove'}
        onClose={onClose}
        onConfirm={async () => {
          await remove();
          onCreated(undefined);
          showSuccess('Calendar link removed', 'No calendar can read your meetings anymore.');
        }}
        title="Remove the calendar link?"
        action="Remove Link"
        failure="Failed to remove the calendar link"
      >
        Calendars that use it will no longer be updated.
      </ConfirmDialog>
    </>
  );
}

const Panel = styled(Stack)`
  padding: ${theme.gutter.panel};
  > p {
    color: ${theme.color.text2};
  }
  > footer {
    display: flex;
    justify-content: flex-end;
    gap: ${theme.space[2]};
  }
  ${theme.media.small} {
    > footer > button {
      flex: 1;
    }
  }
`;
