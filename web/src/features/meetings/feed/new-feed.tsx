import { CalendarPlus } from 'lucide-react';
import { styled } from 'styled-components';
import { buttonStyles } from '#ui/button.tsx';
import { CopyableLink } from '#ui/fields/copyable-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { theme } from '#ui/theme.ts';
import type { FeedAddresses } from './use-feed-actions.ts';

/** A link that was just created; it cannot be shown again. */
export function NewFeed({ addresses: { https, webcal } }: { addresses: FeedAddresses }) {
  return (
    <Box>
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
    </Box>
  );
}

const Box = styled.div`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
`;

const Open = styled.a<{ $variant: 'secondary'; $size: 'md'; $full: boolean }>`
  ${buttonStyles}
  align-self: start;
  &:hover {
    text-decoration: none;
    background: ${theme.color.sunken};
  }
`;
