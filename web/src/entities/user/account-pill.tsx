import { Pill } from '#ui/pill.tsx';

type Account = { status: 'active' | 'inactive'; invited: boolean };

/** Active, inactive, or invited. */
export function AccountPill({ user }: { user: Account }) {
  if (user.status === 'active') return <Pill tone="success">Active</Pill>;
  return user.invited ? <Pill tone="warning">Invited</Pill> : <Pill>Inactive</Pill>;
}
