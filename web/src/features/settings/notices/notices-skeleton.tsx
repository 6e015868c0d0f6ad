import { SkeletonRows } from '#ui/pages/skeleton.tsx';

/** About as high as the settings, so that the sections below do not move. */
export const NoticesSkeleton = () => <SkeletonRows count={20} hasDisc={false} />;
