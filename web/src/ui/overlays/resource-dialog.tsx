import type { ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { AsyncContent, type Query } from '../pages/async-content.tsx';
import { EmptyState, type EmptyStateProps } from '../pages/empty-state.tsx';
import { Skeleton, SkeletonBlock } from '../pages/skeleton.tsx';
import { Dialog } from './dialog.tsx';
import { DialogBody } from './dialog-parts.ts';
import type { ModalFrameProps } from './modal-frame.tsx';

type Props<Resource> = Pick<ModalFrameProps, 'title' | 'width' | 'onClose'> & {
  query: Query<Resource, ApiError>;
  failure: string;
  notFound: EmptyStateProps;
  children: (resource: Resource) => ReactNode;
};

export function ResourceDialog<Resource>({
  query,
  failure,
  notFound,
  loading,
  isNotFound = isGone(query),
  children,
  ...dialog
}: Props<Resource> & { loading: string; isNotFound?: boolean }) {
  return (
    <Dialog {...dialog}>
      {isNotFound ? (
        <EmptyState {...notFound} />
      ) : (
        <AsyncContent query={query} failure={failure} skeletons={<DialogSkeleton label={loading} />}>
          {children}
        </AsyncContent>
      )}
    </Dialog>
  );
}

/** Others may delete a resource that is shown. An invalid id is rejected before anything is shown. */
const isGone = ({ data, error }: Query<unknown, ApiError>) =>
  error?.status === 404 || (data === undefined && error?.status === 400);

export function ResourceOverlay<Resource>({ children, ...rest }: Props<Resource>) {
  const { data, error } = rest.query;
  if (data !== undefined && !isGone(rest.query)) return children(data);
  if (!error) return null;
  return (
    <ResourceDialog {...rest} width="sm" loading="">
      {children}
    </ResourceDialog>
  );
}

export function DialogSkeleton({ label }: { label: string }) {
  return (
    <DialogBody>
      <Skeleton label={label}>
        <div style={{ display: 'grid', gap: 12, minHeight: 320, alignContent: 'start' }}>
          <SkeletonBlock width="80%" />
          <SkeletonBlock width="64%" />
          <SkeletonBlock width="72%" />
        </div>
      </Skeleton>
    </DialogBody>
  );
}
