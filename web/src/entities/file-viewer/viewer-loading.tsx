import { Spinner } from '../../ui/spinner.tsx';
import { Middle } from './viewer-canvas.ts';

export function Waiting() {
  return (
    <Middle>
      <Spinner size={28} label="Loading the preview" />
    </Middle>
  );
}
