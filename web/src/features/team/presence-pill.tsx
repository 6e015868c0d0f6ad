import type { User } from '@atrium/proto-events/people';
import { Pill } from '../../ui/pill.tsx';

type Props = { user: Pick<User, 'status' | 'invited'>; isOnline: boolean };

/** Online while they have the product open somewhere, else what their account is. */
export function PresencePill({ user, isOnline }: Props) {
  if (isOnline) return <Pill tone="success">Online</Pill>;
  if (user.status === 'active') return <Pill>Active</Pill>;
  return user.invited ? <Pill tone="warning">Invited</Pill> : <Pill tone="danger">Inactive</Pill>;
}
