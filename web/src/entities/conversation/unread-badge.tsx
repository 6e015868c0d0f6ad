import { Badge } from '../../ui/badge.tsx';

/** How many messages are unread; nothing where none is. */
export function UnreadBadge({ count, tone = 'danger' }: { count: number; tone?: 'danger' | 'accent' }) {
  return <Badge count={count} label={count === 1 ? 'unread message' : 'unread messages'} tone={tone} />;
}
