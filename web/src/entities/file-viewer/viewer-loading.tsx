import { Spinner } from '#ui/spinner.tsx';
import { CenteredCanvas } from './viewer-canvas.ts';

export function ViewerLoading() {
  return (
    <CenteredCanvas>
      <Spinner size={28} label="Loading the preview" />
    </CenteredCanvas>
  );
}
