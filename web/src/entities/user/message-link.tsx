import type { User } from '@atrium/proto-events/people';
import { MessageSquare } from 'lucide-react';
import { useCurrentUser } from '#lib/session/session.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { canMessage, directPath, displayName } from './user-labels.ts';

/** Links to the direct conversation. Renders nothing for the current user and for people who cannot sign in. */
export function MessageLink({ user, size = 'md' }: { user: User; size?: 'sm' | 'md' }) {
  if (!canMessage(user, useCurrentUser()._id)) return null;
  return (
    <ButtonLink
      to={directPath(user._id)}
      size={size}
      icon={<MessageSquare />}
      aria-label={`Message ${displayName(user)}`}
    >
      Message
    </ButtonLink>
  );
}
