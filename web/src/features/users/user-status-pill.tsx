import type { User } from '@atrium/proto-events/people';
import { Pill } from '../../ui/pill.tsx';

/** Active, inactive, or invited and not here yet. */
export function UserStatusPill({ user }: { user: Pick<User, 'status' | 'invited'> }) {
  if (user.status === 'active') return <Pill tone="success">Active</Pill>;
  return user.invited ? <Pill tone="warning">Invited</Pill> : <Pill>Inactive</Pill>;
}
