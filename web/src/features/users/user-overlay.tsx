import type { User } from '@atrium/proto-events/people';
import { UserRoundX } from 'lucide-react';
import { useUser } from '#entities/user/use-people.ts';
import { ResourceOverlay } from '#ui/overlays/resource-dialog.tsx';
import { UserActionDialog } from './user-action-dialog.tsx';

type Props = {
  action: 'view' | 'edit';
  id: string;
  /** The list's copy, if it was opened from there. */
  listed: User | undefined;
  onClose: () => void;
};

/** The dialog for the user in the URL, who may no longer exist. */
export function UserOverlay({ action, id, listed, onClose }: Props) {
  return (
    <ResourceOverlay
      query={useUser(id, listed?._id === id ? listed : undefined)}
      title="User"
      onClose={onClose}
      failure="Failed to load the user"
      gone={{ icon: <UserRoundX />, title: 'This person no longer exists' }}
    >
      {(user) => <UserActionDialog key={id} action={action} user={user} onClose={onClose} />}
    </ResourceOverlay>
  );
}
