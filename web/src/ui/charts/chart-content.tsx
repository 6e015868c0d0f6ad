import type { ReactNode } from 'react';
import { AsyncContent, type Query } from '../pages/async-content.tsx';
import { Skeleton, SkeletonBlock } from '../pages/skeleton.tsx';

type Props<Data> = {
  query: Query<Data>;
  /** A message such as 'Failed to load the workload'. */
  failure: string;
  /** That of the chart, in pixels, so that nothing moves when it is loaded. */
  height: number;
  children: (data: Data) => ReactNode;
};

/** Renders a chart when its data is loaded. */
export function ChartContent<Data>({ query, failure, height, children }: Props<Data>) {
  const skeletons = (
    <Skeleton label="Loading the chart">
      <SkeletonBlock height={height} />
    </Skeleton>
  );
  return (
    <AsyncContent query={query} failure={failure} skeletons={skeletons} isFramed>
      {children}
    </AsyncContent>
  );
}
