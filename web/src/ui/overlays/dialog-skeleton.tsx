import { Skeleton, SkeletonBlock } from '../pages/skeleton.tsx';
import { DialogBody } from './dialog-parts.ts';

/** The content of a dialog while its subject loads. */
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
