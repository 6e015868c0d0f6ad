import type { Document } from '@atrium/proto-events/http/documents';
import type { User } from '@atrium/proto-events/people';
import { startLiveSync } from '@atrium/web/app/shell/start-live-sync';
import { useTaskActions } from '@atrium/web/entities/task/use-task-actions';
import { useDepartmentActions } from '@atrium/web/features/departments/use-department-actions';
import { useMeetingActions } from '@atrium/web/features/meetings/use-meeting-actions';
import { useProjectActions } from '@atrium/web/features/projects/use-project-actions';
import { useUserActions } from '@atrium/web/features/users/use-user-actions';
import { read } from '@atrium/web/lib/api/api';
import { swrConfig, useStaleRefetch } from '@atrium/web/lib/query/swr-config';
import { useInfinitePages } from '@atrium/web/lib/query/use-infinite-pages';
import { DROP_PREVIOUS_ON_ERROR } from '@atrium/web/lib/query/use-read';
import { useCurrentUser } from '@atrium/web/lib/session/session';
import { unread } from '@atrium/web/realtime/unread';
import { useWrite } from '@atrium/web/realtime/use-write';
import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import useSWR, { SWRConfig } from 'swr';
import { createContainer } from '../client-process/page.ts';
import type { Screens } from './actions.ts';
import { CountingCache } from './counting-cache.ts';

export const PAGES = 2;

export type UserActions = ReturnType<typeof useActions>;

function useActions() {
  return {
    user: useCurrentUser(),
    tasks: useTaskActions(),
    projects: useProjectActions(),
    users: useUserActions(),
    departments: useDepartmentActions(),
    meetings: useMeetingActions(),
    userWrites: useWrite<User>('user'),
    documents: useWrite<Document>('document'),
  };
}

function Response({ path }: { path: string }) {
  // Subscribes to the data, like a component that renders them.
  void useSWR(path, read, DROP_PREVIOUS_ON_ERROR).data;
  return null;
}

function Pages({ path }: { path: string }) {
  void useInfinitePages((page) => pageOf(path, page), PAGES).data;
  return null;
}

export const pageOf = (path: string, page: number): string => `${path}&page=${page}`;
export const keyOfPages = (path: string): string => `${pageOf(path, 1)}&pages=${PAGES}`;

/** Renders the hooks of the screens, and follows live updates as the app does. */
export async function showScreens({ keys, lists }: Screens) {
  const cache = new CountingCache();
  const rendered = Promise.withResolvers<void>();
  const shown: { actions?: UserActions } = {};
  function Shell() {
    shown.actions = useActions();
    const staleRefetch = useStaleRefetch();
    useEffect(() => {
      rendered.resolve();
      return startLiveSync({ cache, staleRefetch, unread });
    }, [staleRefetch]);
    return null;
  }
  createRoot(createContainer()).render(
    createElement(
      SWRConfig,
      { value: { ...swrConfig, provider: () => cache } },
      ...keys.map((path) => createElement(Response, { key: path, path })),
      ...lists.map((path) => createElement(Pages, { key: keyOfPages(path), path })),
      createElement(Shell),
    ),
  );
  await rendered.promise;
  return {
    cache,
    actions(): UserActions {
      if (!shown.actions) throw new Error('The shell is not rendered');
      return shown.actions;
    },
  };
}
