import type { Option } from '#ui/fields/option.tsx';
import { Avatar } from './avatar.tsx';
import { displayName, type NamedUser } from './user-labels.ts';

type AccountState = { status?: string | undefined; deleted?: true | undefined };

export const isActive = ({ status, deleted }: AccountState) => !deleted && status !== 'inactive';

export const userOptions = (
  users: readonly NamedUser[],
  labelOf: (user: NamedUser) => string = displayName,
): Option[] =>
  [...new Map(users.map((user) => [user._id, user])).values()].map((user) => ({
    value: user._id,
    label: labelOf(user),
    leading: <Avatar user={user} size={24} />,
  }));
