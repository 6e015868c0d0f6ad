import { CalendarPlus } from 'lucide-react';
import { styled } from 'styled-components';
import { buttonLook } from '../../../ui/button.tsx';
import { LinkToCopy } from '../../../ui/fields/copyable-link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { theme } from '../../../ui/theme.ts';
import type { FeedAddresses } from './use-feed-actions.ts';

/** What has just been made, for this once. */
export function NewFeed({ addresses: { https, webcal } }: { addresses: FeedAddresses }) {
  return (
    <Box>
      <Notice>
        The link is shown only now. Whoever has it can read your meetings: give it to your calendar program, and to
        nobody else.
      </Notice>
      <LinkToCopy
        label="Calendar link"
        url={https}
        description="Google Calendar: Other calendars, From URL. Outlook: Add calendar, Subscribe from web."
      />
      <LinkToCopy
        label="Link for Apple Calendar and others"
        url={webcal}
        description="Programs on this device take it with one press."
      />
      <Open href={webcal} $variant="secondary" $size="md" $full={false}>
        <CalendarPlus aria-hidden="true" />
        Open in calendar program
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
  ${buttonLook}
  align-self: start;
  &:hover {
    text-decoration: none;
    background: ${theme.color.sunken};
  }
`;
