import type { ReactNode } from 'react';

/** User text within a line of other text: isolated, with its own direction. */
export function UserText({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}
