import type { ReactNode } from 'react';

/** Text that a user gave, within a line of other text: it has its own direction, and does not change that of what surrounds it. */
export function UserText({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}
