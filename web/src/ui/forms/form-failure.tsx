import { useEffect, useRef } from 'react';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { Notice } from '../notice.tsx';

/** The reason of the last failed submission. The toast has announced it. */
export function FormFailure({ failure }: { failure: AnnouncedFailure | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  // The submit button may be far below.
  useEffect(() => {
    if (failure !== undefined) box.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  if (failure === undefined) return null;
  return (
    <div ref={box} data-form-failure>
      <Notice tone="danger" isAnnounced={false}>
        {failure.reason}
      </Notice>
    </div>
  );
}
