import type { User } from '@atrium/proto-events/people';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import { EditUserDialog } from './edit-user-dialog.tsx';
import { EndSessionsDialog } from './end-sessions-dialog.tsx';
import { ResetLinkDialog } from './reset-link-dialog.tsx';
import type { UserAction } from './user-actions-menu.tsx';
import { UserDetailsDialog } from './user-details-dialog.tsx';

const DIALOGS = {
  view: UserDetailsDialog,
  edit: EditUserDialog,
  reset: ResetLinkDialog,
  'sign-out': EndSessionsDialog,
  delete: DeleteUserDialog,
} satisfies Record<UserAction, unknown>;

type Props = { action: UserAction; user: User; onClose: () => void };

/** The dialog of an action selected in a user's menu. */
export function UserActionDialog({ action, user, onClose }: Props) {
  const Chosen = DIALOGS[action];
  return <Chosen user={user} onClose={onClose} />;
}
