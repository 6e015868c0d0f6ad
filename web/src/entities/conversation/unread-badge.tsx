import { Badge } from '#ui/badge.tsx';

export function UnreadBadge({ count, tone = 'danger' }: { count: number; tone?: 'danger' | 'accent' }) {
  return <Badge count={count} label={count === 1 ? 'unread message' : 'unread messages'} tone={tone} />;
}
