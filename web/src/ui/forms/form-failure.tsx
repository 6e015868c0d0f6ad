import { useEffect, useRef } from 'react';
import { Notice } from '../notice.tsx';

/** Why the last submission failed, for as long as that is so. */
export function FormFailure({ reason }: { reason: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  // The button that was pressed may be far below.
  useEffect(() => {
    if (reason !== undefined) box.current?.scrollIntoView({ block: 'nearest' });
  }, [reason]);
  if (reason === undefined) return null;
  return (
    <div ref={box} data-form-failure>
      <Notice tone="danger">{reason}</Notice>
    </div>
  );
}
