import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';

/** Options of `render` and `renderHook` for components that read or write; each call has an empty cache. */
export const withQueryCache = {
  wrapper: ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
};
