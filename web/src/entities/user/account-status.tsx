import { Pill } from '#ui/pill.tsx';

export const STATUS_OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

type Account = { status: 'active' | 'inactive'; invited: boolean };

export function AccountPill({ user }: { user: Account }) {
  if (user.status === 'active') return <Pill tone="success">Active</Pill>;
  return user.invited ? <Pill tone="warning">Invited</Pill> : <Pill>Inactive</Pill>;
}
