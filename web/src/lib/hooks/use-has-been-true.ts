import { useState } from 'react';

/** Whether the value has ever been true, so that lazily loaded content stays mounted for its exit animation. */
export function useHasBeenTrue(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return is || was;
}
