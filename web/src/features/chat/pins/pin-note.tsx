import type { Message } from '@atrium/proto-events/http/chat/messages';
import { isolate } from '@atrium/proto-events/text/isolate';
import { Bookmark, Pin } from 'lucide-react';
import { styled } from 'styled-components';
import { displayName } from '#entities/user/user-labels.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { iconSize, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

/** Says above a message that it is pinned, or saved by the user. */
export function PinNote({ message: { pinned, saved } }: { message: Message }) {
  const currentUserId = useCurrentUser()._id;
  if (!pinned && !saved) return null;
  const by = pinned && (pinned.by._id === currentUserId ? 'you' : isolate(displayName(pinned.by)));
  return (
    <Note>
      {pinned && (
        <span>
          <Pin aria-hidden="true" />
          Pinned by {by}
        </span>
      )}
      {saved && (
        <span>
          <Bookmark aria-hidden="true" />
          Saved
        </span>
      )}
    </Note>
  );
}

const Note = styled.p`
  ${inlineStyles(3)}
  font: ${theme.text.xs};
  color: ${theme.color.text3};
  > span {
    ${inlineStyles(1)}
    ${iconSize(12)}
  }
`;
