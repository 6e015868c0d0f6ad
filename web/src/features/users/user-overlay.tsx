import type { User } from '@atrium/proto-events/people';
import { UserRoundX } from 'lucide-react';
import { useUser } from '#entities/user/use-people.ts';
import { Dialog, DialogBody } from '#ui/overlays/dialog.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
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
  const fallbackData = listed?._id === id ? listed : undefined;
  const { data, error, isValidating, mutate } = useUser(id, fallbackData);
  if (data) return <UserActionDialog key={id} action={action} user={data} onClose={onClose} />;
  if (!error) return null;
  const isGone = error.status === 404 || error.status === 400;
  return (
    <Dialog isOpen onClose={onClose} title="User" width="sm">
      <DialogBody>
        {isGone ? (
          <EmptyState icon={<UserRoundX />} title="This person no longer exists" />
        ) : (
          <ErrorState
            title="Failed to load the user"
            detail={error.message}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}
